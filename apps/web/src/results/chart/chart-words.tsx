import { resultTexts } from '@goty/shared/result-texts';
import type { CSSProperties } from 'react';
import { type ChartInput, chartRows, type Row } from './chart-rows.ts';
import styles from './results-chart.module.css';

const USUAL_GAIN = '+99';
/** A bar with a smaller share of the leader's votes has room for its own badge. */
const LONG_BAR = 0.75;

interface Props {
  readonly input: ChartInput;
  /** Those in sight. */
  readonly rows: readonly Row[];
  /** The end of the axis, in votes. */
  readonly end: number;
  readonly selected: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
}

/** The words of the chart in its grid, beside the bars, or above them on a phone. The table says them to screen readers. */
export function ChartWords({ input, rows, end, selected, onPoint }: Props) {
  const { standings } = input;
  const longest = standings.reduce((a, b) => (b.name.length > a.name.length ? b : a)).name;
  const [leader] = chartRows(input, indexOfMost(standings), 1);
  const yours = standings.find(({ id }) => id === input.yourVote)?.votos ?? 0;
  // Before the first vote, rows of zeros would say nothing: there are the tracks on which bars will grow.
  const isEmpty = !leader?.isLeader;
  return (
    <>
      <ul
        className={styles.rows}
        aria-hidden="true"
        data-empty={isEmpty || undefined}
        // A finger that is lifted leaves, too, and what it has marked stays.
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onPoint(undefined)}
      >
        {rows.map((row) => (
          <li
            key={row.id}
            className={styles.row}
            data-leader={row.isLeader || undefined}
            data-pointed={row.id === selected || undefined}
            style={styleOf(row, end)}
            onPointerEnter={() => onPoint(row.id)}
          >
            <Name name={row.name} />
            {!isEmpty && <span className={styles.place}>{row.place}</span>}
            <span className={styles.bar}>
              <span className={styles.extent} />
              {!isEmpty && <Label row={row} />}
            </span>
          </li>
        ))}
      </ul>
      {/* Keeps the room that the words need when the rows scroll, and when gains come and go. */}
      <div className={styles.room} aria-hidden="true">
        <Name name={longest} />
        {leader && !isEmpty && (
          <span data-leader>
            <Name name={leader.name} />
            <Label
              row={{ ...leader, gain: USUAL_GAIN, isYours: yours >= LONG_BAR * leader.value }}
            />
          </span>
        )}
      </div>
    </>
  );
}

function Name({ name }: { readonly name: string }) {
  return (
    <bdi className={styles.name} title={name}>
      {name}
    </bdi>
  );
}

function Label({ row: { votes, share, isYours, gain } }: { readonly row: Row }) {
  return (
    <span className={styles.label}>
      <span>
        <b>{votes}</b>
        <span className={styles.share}> · {share}</span>
      </span>
      {isYours && <span className="badge">{resultTexts.yourVote}</span>}
      {gain !== undefined && <b className={styles.gain}>{gain}</b>}
    </span>
  );
}

/** React's type of styles knows no custom properties. */
interface RowStyle extends CSSProperties {
  readonly '--part': string;
  readonly '--color': string;
}

function styleOf({ value, endColor }: Row, end: number): RowStyle {
  return { '--part': `${(value / end) * 100}%`, '--color': endColor };
}

function indexOfMost(standings: ChartInput['standings']): number {
  return standings.reduce(
    (most, { votos }, at) => (votos > (standings[most]?.votos ?? 0) ? at : most),
    0,
  );
}
