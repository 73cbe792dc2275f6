import { texts } from '@goty/shared/texts';
import { type CSSProperties, type PropsWithChildren, useEffect, useState } from 'react';
import { formatCount, formatVotes } from '../base/format.ts';
import { type GameView, leadersOf } from '../results/game-view.ts';
import styles from './chart.module.css';

// The words of the chart, and which games' rows stay in sight. chart-canvas.ts draws the bars.

/** How long the votes that have arrived are shown as '+12' (SPEC W63). */
const GAIN_MS = 2_000;
/** The columns have room for a gain of so many votes, or of the leader's votes if these are fewer. A larger gain is cut. */
const MAX_GAIN = 9_999;
/** A bar that is shorter than this part of the leader's has room for the badge 'Tu voto' beside it. */
const LONG_BAR = 0.75;
/** The columns have room for names of so many characters. Longer names are cut, but not the leader's. */
const LONG_NAME_LENGTH = 32;
/** The axis covers at least this many votes, so that the first vote does not fill the whole chart. */
const MIN_AXIS = 4;

export interface ChartInput {
  readonly games: readonly GameView[];
  readonly yourVote: string | undefined;
  /** Whether nobody may be told who leads: the vote is frozen, held or being counted (SPEC W93). */
  readonly isSecret: boolean;
}

/** The visitor's game stays in sight, and so does the game that leads alone, unless the leader is secret. */
export function splitFixedGames({ games, yourVote, isSecret }: ChartInput) {
  const leaders = leadersOf(games);
  const leader = isSecret || leaders.length > 1 ? undefined : leaders[0];
  const stays = (game: GameView) => game === leader || game.id === yourVote;
  return { fixed: games.filter(stays), others: games.filter((game) => !stays(game)) };
}

/** Returns at how many votes the axis ends: with the leader's bar, but not before MIN_AXIS. Labels have the room beside it. */
export function axisEnd(mostVotes: number): number {
  return Math.max(MIN_AXIS, mostVotes);
}

interface Props {
  readonly input: ChartInput;
  readonly rows: readonly GameView[];
  readonly pointed: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
}

/** The words in the chart's grid, beside the bars, or above them on a phone. Screen readers get the same from the table. */
export function ChartWords({ input, rows, pointed, onPoint }: Props) {
  const { games, yourVote, isSecret } = input;
  const most = leadersOf(games)[0]?.value ?? 0;
  const hasPlaces = most > 0 && !isSecret;
  const parts = { hasVotes: most > 0, hasPlaces };
  return (
    <ul
      className={styles.rows}
      aria-hidden="true"
      translate="no"
      // Before the first vote, the style sheet draws the tracks on which the bars will grow.
      data-empty={most === 0 || undefined}
      style={{ '--digits': Math.max(...games.map(({ place }) => place.length)) - 2 } as RowStyle}
      // A finger that is lifted fires this event, too, but the row that it has marked stays marked.
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onPoint(undefined)}
    >
      {rows.map((row, index) => (
        <li
          key={row.id}
          className={styles.row}
          data-leader={(hasPlaces && row.rank === 1) || undefined}
          data-pointed={row.id === pointed || undefined}
          style={styleOf(row, index, axisEnd(most))}
          onPointerEnter={() => onPoint(row.id)}
        >
          <Words {...row} {...parts} isYours={row.id === yourVote}>
            {/* With a new key when a freeze ends, votes that were hidden do not seem to be of the last seconds. */}
            <Gain key={`${isSecret}`} value={row.value} />
          </Words>
        </li>
      ))}
      <li className={styles.room} data-leader>
        <Words {...widestRow(input)} {...parts}>
          {plus(Math.min(most, MAX_GAIN))}
        </Words>
      </li>
    </ul>
  );
}

interface WordsProps extends GameView, PropsWithChildren {
  /** Whether any game has votes. Before the first vote, rows of zeros would say nothing. */
  readonly hasVotes: boolean;
  /** Whether places are shown. While no game has a place, or all places are secret, there is not even a dash. */
  readonly hasPlaces: boolean;
  readonly isYours: boolean;
}

function Words({ name, place, value, share, children, ...row }: WordsProps) {
  return (
    <>
      <span className={styles.name}>
        <bdi title={name}>{name}</bdi>
      </span>
      {row.hasPlaces && <span className={styles.place}>{place}</span>}
      <span
        className={styles.bar}
        title={row.hasVotes ? `${formatVotes(value)} · ${share}` : undefined}
      >
        <span className={styles.extent} />
        {row.hasVotes && (
          <span className={styles.label}>
            <span>
              <b>{formatCount(value)}</b>
              <span className={styles.share}>{` · ${share}`}</span>
            </span>
            {row.isYours && (
              <span className="badge" translate="yes">
                {texts.goty.yourVote}
              </span>
            )}
            {children}
          </span>
        )}
      </span>
    </>
  );
}

function Gain({ value }: { readonly value: number }) {
  const [earlier, setEarlier] = useState(value);
  // No timer is cleared: each number of votes becomes the earlier one two seconds after it has come.
  useEffect(() => void setTimeout(setEarlier, GAIN_MS, value), [value]);
  return value > earlier && plus(value - earlier);
}

function plus(votes: number) {
  return <b className={styles.gain}>{`+${formatCount(votes)}`}</b>;
}

/** The widest row, rendered unseen, keeps the columns wide enough for rows out of sight, and for gains that come and go. */
function widestRow({ games, yourVote }: ChartInput) {
  const leader = leadersOf(games)[0] ?? games[0];
  if (!leader) throw new Error('a chart without games');
  const longest = games.reduce((a, b) => (b.name.length > a.length ? b.name : a), '');
  const yours = games.find(({ id }) => id === yourVote)?.value ?? 0;
  return {
    ...leader,
    name: leader.name.length < LONG_NAME_LENGTH ? longest.slice(0, LONG_NAME_LENGTH) : leader.name,
    isYours: yours >= LONG_BAR * leader.value,
  };
}

/** The type of a style with custom properties, which React's own type does not have. */
type RowStyle = CSSProperties & Record<`--${string}`, string | number>;

function styleOf({ value, endColor }: GameView, index: number, end: number): RowStyle {
  return { '--row': index + 1, '--part': `${(value / end) * 100}%`, '--color': endColor };
}
