import { type Row, rounded } from '../base/report.ts';
import { median } from '../base/statistics.ts';

/** One line of the table. */
export interface Figure {
  /** As docs/performance.md calls it. */
  readonly id: string;
  readonly what: string;
  /** What it is compared with. */
  readonly reference?: string;
  readonly goal?: Goal;
  /** Resolves with what each round measured. */
  readonly run: (rounds: number) => Promise<readonly Sample[]>;
}

/** Of the ratio or, without a reference, of the value. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** What was measured and, right before or after it, that of the reference. */
export type Sample = readonly [value: number, reference?: number];

/** The figure as the table shows it: medians, and the extremes of the ratio. */
export function rowOf({ id, what, reference, goal }: Figure, samples: readonly Sample[]): Row {
  const value = median(samples.map(([measured]) => measured));
  const references = samples.flatMap(([, other]) => other ?? []);
  const ratios = samples.flatMap(([measured, other]) => (other ? measured / other : []));
  const [least, middle, most] = [Math.min(...ratios), median(ratios), Math.max(...ratios)];
  const reached = reference ? middle : value;
  return {
    goal: id,
    figure: what,
    value: rounded(value),
    reference: reference ? `${reference}: ${rounded(median(references))}` : '',
    ratio: reference ? `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})` : '',
    wanted: goal ? ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`) : '',
    met: goal ? (isMet(reached, goal) ? 'met' : 'not met') : '',
  };
}

function isMet(reached: number, goal: Goal): boolean {
  return 'atLeast' in goal ? reached >= goal.atLeast : reached <= goal.atMost;
}
