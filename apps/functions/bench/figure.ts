import type { LoadResult } from './processes/load.ts';
import { type Ratio, ratioOf } from './rounds.ts';

/** One line of the table. */
export interface Figure {
  /** The goal's name in docs/performance.md. */
  readonly id: string;
  readonly what: string;
  readonly value: number;
  readonly reference?: string;
  readonly ratio?: Ratio;
  /** Of the ratio or, without one, of the value. */
  readonly goal?: Goal;
}

export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** How the figures are measured. */
export interface Context {
  /** The folder of the project to measure; of an older version, for instance. */
  readonly project: string;
  readonly rounds: number;
  /** How long one measurement takes. */
  readonly ms: number;
}

/** Whether the goal is met; `undefined` without one. */
export function isMet({ value, ratio, goal }: Figure): boolean | undefined {
  const reached = ratio?.median ?? value;
  if (!goal) return undefined;
  return 'atLeast' in goal ? reached >= goal.atLeast : reached <= goal.atMost;
}

/** A figure as the median of its pairs. */
export function paired<Result>(
  pairs: readonly [Result, Result][],
  number: (result: Result) => number,
  figure: Pick<Figure, 'id' | 'what' | 'goal'> & { readonly reference: string },
): Figure {
  const middle = (side: 0 | 1) => {
    const sorted = pairs.map((pair) => number(pair[side])).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  return {
    ...figure,
    value: middle(0),
    reference: `${figure.reference}: ${rounded(middle(1))}`,
    ratio: ratioOf(pairs, number),
  };
}

export function perSecond(result: LoadResult): number {
  return result.perSecond;
}

/** With three significant digits. */
export function rounded(number: number): string {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}

/** The figure as it is shown. */
export function rowOf(figure: Figure) {
  const { id, what, value, reference = '', ratio, goal } = figure;
  const met = isMet(figure);
  return {
    goal: id,
    figure: what,
    value: rounded(value),
    reference,
    ratio: ratio
      ? `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`
      : '',
    wanted: goal ? ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`) : '',
    met: met === undefined ? '' : met ? 'met' : 'not met',
  };
}
