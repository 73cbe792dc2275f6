import { type ChartDatum, type Standing, toChartDatum } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { formatCount, formatVotes, shareFormat } from '../base/format.ts';
import { rankStandings } from '../live/ranking.ts';
import styles from './chart.module.css';
import { BAR_END_COLORS, type Fill, gameColor } from './colors.ts';

// What the chart shows of each game, and its words. chart-canvas.ts draws the bars.

/** How long the votes that have arrived are shown as '+12' (SPEC W63). */
const GAIN_MS = 2_000;
/** A larger one is cut. It is also no larger than the votes of the leader. */
const MAX_GAIN = 9_999;
/** A bar with a smaller share of the leader's votes has room for its own badge. */
const LONG_BAR = 0.75;
/** The length of the longest names that are not cut, in characters. */
const LONG_NAME_LENGTH = 32;
/** The axis covers at least this many votes. */
const MIN_AXIS = 4;

export interface ChartInput {
  readonly standings: readonly Standing[];
  /** The id of the game that the visitor voted for. */
  readonly yourVote: string | undefined;
  /** Whether nobody is to be told who leads, since the vote is frozen (SPEC W93). */
  readonly isSecret: boolean;
  /** Whether the bars of the others step back behind those that have won. */
  readonly isWon: boolean;
}

/** What the chart shows of a game: the bar, which Chart.js draws, and the words beside it. */
export interface ChartRow extends ChartDatum, Fill {
  readonly id: string;
  /** The colour in which its bar ends. */
  readonly endColor: string;
  /** '2.º', empty without votes; `undefined` while no game has a place, or all are secret. */
  readonly place: string | undefined;
  /** `undefined` before the first vote: rows of zeros would say nothing. */
  readonly votes: string | undefined;
  readonly share: string;
  readonly isLeader: boolean;
  /** The visitor voted for this game last. */
  readonly isYours: boolean;
}

/** Parts the games whose rows stay in sight, that of the only leader and the visitor's own, from those that scroll. */
export function splitGames({ standings, yourVote, isSecret }: ChartInput) {
  const { leaders } = rankStandings(standings);
  const leader = isSecret || leaders.length > 1 ? undefined : leaders[0];
  const stays = (game: Standing) => game === leader || game.id === yourVote;
  return { fixed: standings.filter(stays), others: standings.filter((game) => !stays(game)) };
}

/** Returns the rows of some games, by default all. Their ranks and shares are those among all games. */
export function chartRows(input: ChartInput, games = input.standings): ChartRow[] {
  const { standings, yourVote, isSecret, isWon } = input;
  const { mostVotes, rankOf } = rankStandings(standings);
  const hasPlaces = mostVotes > 0 && !isSecret;
  const formatShare = shareFormat(standings);
  return games.map((game) => {
    const { id } = game;
    const index = standings.indexOf(game);
    const { name, value } = toChartDatum(game);
    const place = rankOf(value);
    const placeText = place === undefined ? '' : resultTexts.place(place);
    return {
      id,
      name,
      value,
      color: gameColor(index),
      endColor: gameColor(index, BAR_END_COLORS),
      isDimmed: isWon && place !== 1,
      place: hasPlaces ? placeText : undefined,
      votes: mostVotes > 0 ? formatCount(value) : undefined,
      share: formatShare(value),
      isLeader: hasPlaces && place === 1,
      isYours: id === yourVote,
    };
  });
}

/** Returns where the axis ends, in votes: at the leader's bar. The room beside it is for the labels. */
export function axisEnd(mostVotes: number): number {
  return Math.max(MIN_AXIS, mostVotes);
}

interface Props {
  readonly input: ChartInput;
  /** Those in sight. */
  readonly rows: readonly ChartRow[];
  readonly pointed: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
}

/** The chart's words in its grid, beside the bars, or above them on a phone. The table has the same for screen readers. */
export function ChartWords({ input, rows, pointed, onPoint }: Props) {
  const widest = widestRow(input);
  return (
    <ul
      className={styles.rows}
      aria-hidden="true"
      translate="no"
      // Before the first vote there are the tracks on which bars will grow.
      data-empty={widest.value === 0 || undefined}
      // A finger that is lifted leaves, too, and what it has marked stays.
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onPoint(undefined)}
    >
      {rows.map((row, index) => (
        <li
          key={row.id}
          className={styles.row}
          data-leader={row.isLeader || undefined}
          data-pointed={row.id === pointed || undefined}
          style={styleOf(row, index, axisEnd(widest.value))}
          onPointerEnter={() => onPoint(row.id)}
        >
          {/* A new key: votes that were secret are not those of the last seconds. */}
          <Words {...row} gain={<Gain key={`${input.isSecret}`} value={row.value} />} />
        </li>
      ))}
      <li className={styles.room} data-leader>
        <Words {...widest} gain={plus(Math.min(widest.value, MAX_GAIN))} />
      </li>
    </ul>
  );
}

function Words({ gain, ...row }: ChartRow & { readonly gain: ReactNode }) {
  const { name, place, value, votes, share, isYours } = row;
  return (
    <>
      <span className={styles.name}>
        <bdi title={name}>{name}</bdi>
      </span>
      {place !== undefined && <span className={styles.place}>{place}</span>}
      <span className={styles.bar} title={votes && `${formatVotes(value)} · ${share}`}>
        <span className={styles.extent} />
        {votes && (
          <span className={styles.label}>
            <span>
              <b>{votes}</b>
              <span className={styles.share}>{` · ${share}`}</span>
            </span>
            {isYours && (
              <span className="badge" translate="yes">
                {resultTexts.yourVote}
              </span>
            )}
            {gain}
          </span>
        )}
      </span>
    </>
  );
}

/** The votes of the last two seconds. */
function Gain({ value }: { readonly value: number }) {
  const [earlier, setEarlier] = useState(value);
  // Never cleared: each number of votes is the earlier one two seconds after it has come.
  useEffect(() => void setTimeout(setEarlier, GAIN_MS, value), [value]);
  return value > earlier && plus(value - earlier);
}

function plus(votes: number) {
  return <b className={styles.gain}>{`+${formatCount(votes)}`}</b>;
}

/** The row that all others have room for, also those that are out of sight, and when gains come and go. */
function widestRow(input: ChartInput): ChartRow {
  const { standings, yourVote } = input;
  const { mostVotes } = rankStandings(standings);
  const games = standings.filter(({ votos }) => votos === mostVotes).slice(0, 1);
  const [leader] = chartRows(input, games);
  if (!leader) throw new Error('a chart without games');
  const longest = standings.reduce((a, b) => (b.name.length > a.length ? b.name : a), '');
  const yours = standings.find(({ id }) => id === yourVote)?.votos ?? 0;
  return {
    ...leader,
    name: leader.name.length < LONG_NAME_LENGTH ? longest.slice(0, LONG_NAME_LENGTH) : leader.name,
    isYours: yours >= LONG_BAR * leader.value,
  };
}

/** React's type of styles knows no custom properties. */
type RowStyle = CSSProperties & Record<`--${string}`, string | number>;

function styleOf({ value, endColor }: ChartRow, index: number, end: number): RowStyle {
  return { '--row': index + 1, '--part': `${(value / end) * 100}%`, '--color': endColor };
}
