import { readFileSync, writeFileSync } from 'node:fs';
import type { Measured, Scale, Scenario, Tally } from './scenario.ts';

/** What came of one scenario. */
export interface Row extends Pick<Scenario, 'home' | 'fault' | 'promise'> {
  readonly measured: Measured | undefined;
  /** Why it failed; empty if nothing was lost, counted twice or broken. */
  readonly failures: readonly string[];
  readonly seconds: number;
}

const BEGIN = '<!-- Written by `npx pnpm@12 faults --write`. -->';
const END = '<!-- End of what is written. -->';
const HEAD = `| Home | Fault | Promised | S | A | C = B | After the retries A = C = S = B |
| ---- | ----- | -------- | -: | -: | -: | -: |`;

/** Runs a scenario. Never rejects. */
export async function rowOf(scenario: Scenario, scale: Scale): Promise<Row> {
  const { home, fault, promise, run } = scenario;
  const startedAt = performance.now();
  const row = (measured: Measured | undefined, failures: readonly string[]): Row => {
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    return { home, fault, promise, measured, failures, seconds };
  };
  try {
    const measured = await run(scale);
    return row(measured, measured.broken);
  } catch (error) {
    return row(undefined, [error instanceof Error ? error.message : String(error)]);
  }
}

export const TABLE_HEAD = line('fault', ['S', 'A', 'C', 'B', 'then A', 'C = B', 's']);

/** One line of the table, and one for each failure. */
export function lineOf({ home, fault, measured, failures, seconds }: Row): string {
  const { after, retried } = measured ?? {};
  const figures = [after?.sent, after?.acknowledged, after?.counted, after?.ballots];
  const then = [retried?.acknowledged, retried?.counted, seconds];
  return [
    line(`${home}: ${fault}`, [...figures, ...then]),
    ...failures.map((failure) => `  FAILED  ${failure}`),
  ].join('\n');
}

/**
 * Puts the rows into the table of a document, in place of those of the same faults.
 *
 * @param all every scenario, in the order of the table
 */
export function writeRows(path: string, rows: readonly Row[], all: readonly Scenario[]) {
  const [before = '', rest = ''] = readFileSync(path, 'utf8').split(BEGIN);
  const [table = '', after] = rest.split(END);
  if (after === undefined) throw new Error(`${path} has no table`);
  const written = table.split('\n');
  const lines = all.flatMap((scenario) => {
    const begin = `| ${scenario.home} | ${scenario.fault} |`;
    const row = rows.find(({ home, fault }) => begin === `| ${home} | ${fault} |`);
    if (row?.measured) return [markdownOf(row, row.measured)];
    return written.filter((line) => line.startsWith(begin));
  });
  writeFileSync(
    path,
    [before, BEGIN, '\n\n', [HEAD, ...lines].join('\n'), '\n\n', END, after].join(''),
  );
}

function markdownOf({ home, fault, promise }: Row, { after, retried }: Measured): string {
  const figures = [after.sent, after.acknowledged, show(after), retried.counted];
  return `| ${[home, fault, promise, ...figures].join(' | ')} |`;
}

function show({ counted, ballots }: Tally): string {
  return counted === ballots ? String(counted) : `${counted} ≠ ${ballots}`;
}

function line(name: string, figures: readonly (string | number | undefined)[]): string {
  return name.padEnd(76) + figures.map((figure) => String(figure ?? '-').padStart(8)).join('');
}
