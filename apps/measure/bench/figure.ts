import { type Row, rounded } from '../base/report.ts';
import { interleave, median, type Ratio, ratioOf } from '../base/statistics.ts';
import { type LoadResult, sendLoad } from './load.ts';
import { type ServerOptions, startServer } from './server.ts';

/** How the figures are measured. */
export interface Effort {
  /** The folder of the checkout to measure; of an older version, for instance. */
  readonly project: string;
  readonly rounds: number;
  /** How long one measurement takes. */
  readonly ms: number;
}

/** One line of the table. */
export interface Figure {
  /** As docs/performance.md calls it. */
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly reference?: string;
  readonly ratio?: Ratio;
  readonly goal?: Goal | undefined;
}

/** Of the ratio or, without one, of the value. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** Two servers under the same load. */
export interface Comparison {
  readonly measured: ServerOptions;
  readonly reference: ServerOptions;
  readonly connections: number;
  /** Where that of the reference differs. */
  readonly ofReference?: number;
}

/** Measures two servers of their own in turn, and checks that each has counted what it acknowledged. */
export async function compare(
  { measured, reference, connections, ofReference = connections }: Comparison,
  { project, rounds, ms }: Effort,
): Promise<[LoadResult, LoadResult][]> {
  await using one = await startServer(measured, project);
  await using other = await startServer(reference, project);
  const pairs = await interleave(
    rounds,
    () => sendLoad(one, { connections, ms }),
    () => sendLoad(other, { connections: ofReference, ms }),
  );
  one.checkCounts();
  other.checkCounts();
  return pairs;
}

/** A figure as the median of its pairs. */
export function paired(
  pairs: readonly [LoadResult, LoadResult][],
  of: keyof LoadResult,
  { reference, ...figure }: Pick<Figure, 'id' | 'what' | 'goal'> & { readonly reference: string },
): Figure {
  const numbers = pairs.map(([one, other]) => [one[of], other[of]] as const);
  return {
    ...figure,
    value: median(numbers.map(([one]) => one)),
    reference: `${reference}: ${rounded(median(numbers.map(([, other]) => other)))}`,
    ratio: ratioOf(numbers),
  };
}

/** The figure as it is shown. */
export function rowOf({ id, what, value, reference = '', ratio, goal }: Figure): Row {
  return {
    goal: id,
    figure: what,
    value: rounded(value),
    reference,
    ratio: ratio
      ? `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`
      : '',
    wanted: goal ? ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`) : '',
    met: goal ? (isMet(ratio?.median ?? value, goal) ? 'met' : 'not met') : '',
  };
}

function isMet(reached: number, goal: Goal): boolean {
  return 'atLeast' in goal ? reached >= goal.atLeast : reached <= goal.atMost;
}
