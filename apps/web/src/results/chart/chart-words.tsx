import { resultTexts } from '@goty/shared/result-texts';
import type { CSSProperties } from 'react';
import { formatCount, formatVotes } from '../../base/format.ts';
import { rank } from '../../live/ranking.ts';
import { axisEnd } from './chart-config.ts';
import { type ChartInput, chartRows, type Row } from './chart-rows.ts';
import styles from './chart-words.module.css';

/** A larger one is cut. It is also no larger than the votes of the leader. */
const MAX_GAIN = 9_999;
/** A bar with a smaller share of the leader's votes has room for its own badge. */
const LONG_BAR = 0.75;
/** The length of the longest names that are not cut, in characters. */
const LONG_NAME = 32;

interface Props {
  readonly input: ChartInput;
  /** Those in sight. */
  readonly rows: readonly Row[];
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
          <Words {...row} />
        </li>
      ))}
      <li className={styles.room} data-leader>
        <Words {...widest} />
      </li>
    </ul>
  );
}

function Words({ name, place, value, votes, share, isYours, gain }: Row) {
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
              <span className={styles.share}> · {share}</span>
            </span>
            {isYours && <span className="badge">{resultTexts.yourVote}</span>}
            {gain !== undefined && <b className={styles.gain}>{gain}</b>}
          </span>
        )}
      </span>
    </>
  );
}

/** The row that all others have room for, also those that are out of sight, and when gains come and go. */
function widestRow(input: ChartInput): Row {
  const { standings, yourVote } = input;
  const { most } = rank(standings);
  const at = standings.findIndex(({ votos }) => votos === most);
  const [leader] = chartRows(input, at, 1);
  if (!leader) throw new Error('a chart without games');
  const longest = standings.reduce((a, b) => (b.name.length > a.length ? b.name : a), '');
  const yours = standings.find(({ id }) => id === yourVote)?.votos ?? 0;
  return {
    ...leader,
    name: leader.name.length < LONG_NAME ? longest.slice(0, LONG_NAME) : leader.name,
    isYours: yours >= LONG_BAR * leader.value,
    gain: `+${formatCount(Math.min(leader.value, MAX_GAIN))}`,
  };
}

/** React's type of styles knows no custom properties. */
interface RowStyle extends CSSProperties {
  readonly '--row': number;
  readonly '--part': string;
  readonly '--color': string;
}

function styleOf({ value, endColor }: Row, index: number, end: number): RowStyle {
  return { '--row': index + 1, '--part': `${(value / end) * 100}%`, '--color': endColor };
}
