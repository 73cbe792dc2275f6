import { interleave, median, type Row, ratiosOf, rounded, withSpread } from '../base/report.ts';

/** One line of the table. */
export interface Figure<Subject extends { readonly name: string }, Open> {
  /** As docs/performance.md calls it. */
  readonly id: string;
  readonly what: string;
  /** The second is the reference, measured right before or after the first. */
  readonly subjects: readonly [Subject, Subject?];
  /** Of the ratio or, without a reference, of the value. */
  readonly goal?: readonly ['≥' | '≤', number];
  /** Starts and warms a subject. `resources` stop it, and check it. */
  readonly open: (subject: Subject, resources: AsyncDisposableStack) => Promise<Open>;
  /** Once in each round. */
  readonly measure: (open: Open) => Promise<number>;
}

/** The figure as the table shows it: medians, and the extremes of the ratio. */
export async function rowOf<Subject extends { readonly name: string }, Open>(
  { id, what, subjects, goal, open, measure }: Figure<Subject, Open>,
  rounds: number,
): Promise<Row> {
  await using resources = new AsyncDisposableStack();
  const opened: Open[] = [];
  for (const subject of subjects) if (subject) opened.push(await open(subject, resources));
  const [values = [], references] = await interleave(rounds, opened, measure);
  const ratios = references && ratiosOf(values, references);
  const reached = median(ratios ?? values);
  const [relation, limit = 0] = goal ?? [];
  const isMet = relation === '≥' ? reached >= limit : reached <= limit;
  const verdict = isMet ? 'met' : 'not met';
  return {
    goal: id,
    figure: what,
    value: rounded(median(values)),
    reference: references ? `${subjects[1]?.name}: ${rounded(median(references))}` : '',
    ratio: ratios ? withSpread(ratios) : '',
    wanted: goal?.join(' ') ?? '',
    met: goal ? verdict : '',
  };
}
