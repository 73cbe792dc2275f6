import { texts } from '@goty/shared/texts';
import { type CSSProperties, type PropsWithChildren, useEffect, useState } from 'react';
import { formatCount, formatVotes } from '../base/format.ts';
import { type GameView, leadersOf } from '../results/game-view.ts';
import styles from './chart.module.css';

// The chart's words, and which games stay in sight. chart-canvas.ts draws the bars.

/** How long the votes that have arrived are shown as '+12' (SPEC W63). */
const GAIN_MS = 2_000;
/** The largest gain that has room, or the votes of the leader, if these are fewer: a larger gain is cut. */
const MAX_GAIN = 9_999;
/** A bar with a smaller share of the leader's votes has room for its own badge. */
const LONG_BAR = 0.75;
/** The length of the longest names that are not cut, in characters. */
const LONG_NAME_LENGTH = 32;
/** The axis covers at least this many votes. */
const MIN_AXIS = 4;

export interface ChartInput {
  readonly games: readonly GameView[];
  /** The id of the game that the visitor voted for. */
  readonly yourVote: string | undefined;
  /** Whether nobody is to be told who leads, since the vote is frozen (SPEC W93). */
  readonly isSecret: boolean;
}

/** Parts the games whose rows stay in sight, that of the only leader and the visitor's own, from those that scroll. */
export function splitFixedGames({ games, yourVote, isSecret }: ChartInput) {
  const leaders = leadersOf(games);
  const leader = isSecret || leaders.length > 1 ? undefined : leaders[0];
  const stays = (game: GameView) => game === leader || game.id === yourVote;
  return { fixed: games.filter(stays), others: games.filter((game) => !stays(game)) };
}

/** Returns where the axis ends, in votes: at the leader's bar. The room beside it is for the labels. */
export function axisEnd(mostVotes: number): number {
  return Math.max(MIN_AXIS, mostVotes);
}

interface Props {
  readonly input: ChartInput;
  /** The games in sight. */
  readonly rows: readonly GameView[];
  readonly pointed: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
}

/** The chart's words in its grid, beside the bars, or above them on a phone. The table has the same for screen readers. */
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
      // Before the first vote there are the tracks on which bars will grow.
      data-empty={most === 0 || undefined}
      style={{ '--digits': Math.max(...games.map(({ place }) => place.length)) - 2 } as RowStyle}
      // A finger that is lifted leaves, too, and what it has marked stays.
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
            {/* A new key: votes that were secret are not those of the last seconds. */}
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
  /** Before the first vote, rows of zeros would say nothing. */
  readonly hasVotes: boolean;
  /** While no game has a place, or all are secret, there is not even a dash. */
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

/** The votes of the last two seconds. */
function Gain({ value }: { readonly value: number }) {
  const [earlier, setEarlier] = useState(value);
  // The timer is never cleared: each number of votes is the earlier one two seconds after it has come.
  useEffect(() => void setTimeout(setEarlier, GAIN_MS, value), [value]);
  return value > earlier && plus(value - earlier);
}

function plus(votes: number) {
  return <b className={styles.gain}>{`+${formatCount(votes)}`}</b>;
}

/** The row that all others have room for, also those that are out of sight, and when gains come and go. */
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

/** React's type of styles knows no custom properties. */
type RowStyle = CSSProperties & Record<`--${string}`, string | number>;

function styleOf({ value, endColor }: GameView, index: number, end: number): RowStyle {
  return { '--row': index + 1, '--part': `${(value / end) * 100}%`, '--color': endColor };
}
