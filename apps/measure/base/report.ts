import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** A line of a table: the cells by their column. Every row has the same columns. */
export type Row = Readonly<Record<string, string | number>>;

export function markdownTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return [columns, columns.map(() => '---'), ...rows.map((row) => Object.values(row))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/**
 * Reads the options of a command that measures, and makes its table. `--only WORDS` chooses what has these words in
 * its title, `--rounds N` says how often it is measured, and `--seed N` what random choices follow from. `--write`
 * puts the table of a whole run into docs.
 *
 * @param name of the table in docs
 * @param rounds without the option
 */
export function openReport(name: string, rounds: number, page = 'performance.md') {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: String(rounds) },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      write: { type: 'boolean', default: false },
    },
  });
  const rows: Row[] = [];
  return {
    rounds: Number(values.rounds),
    seed: Number(values.seed),
    isChosen: (title: string) =>
      values.only.length === 0 ||
      values.only.some((words) => new RegExp(`\\b${RegExp.escape(words)}\\b`).test(title)),
    add(row: Row) {
      console.log(Object.values(row).join(' | '));
      rows.push(row);
    },
    /** Prints the table with the day and the machine. */
    publish() {
      const date = new Date().toISOString().slice(0, 10);
      const machine = `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()})`;
      const table = `Measured on ${date}, ${machine}.\n\n${markdownTable(rows)}`;
      console.log(table);
      if (values.write && values.only.length === 0) writePart(page, name, table);
    },
  };
}

/** Replaces what stands in a page of docs between the marks of that name. */
export function writePart(page: string, name: string, text: string) {
  const path = resolve(ROOT, 'docs', page);
  const marks = new RegExp(`(?<=<!-- ${name} -->).*(?=<!-- end of ${name} -->)`, 's');
  const before = readFileSync(path, 'utf8');
  if (!marks.test(before)) throw new Error(`docs/${page} has no place for ${name}`);
  const after = before.replace(marks, () => `\n\n${text}\n\n`);
  writeFileSync(path, after);
}

/**
 * Measures the subjects in turn, so that whatever else the machine does meets all alike. Every other round
 * begins with the last one, which is the reference.
 */
export async function interleave<Subject, Result>(
  rounds: number,
  subjects: readonly Subject[],
  measure: (subject: Subject) => Promise<Result>,
): Promise<Result[][]> {
  const results: Result[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...subjects.entries()];
    for (const [at, subject] of round % 2 === 0 ? order : order.reverse()) {
      results[at]?.push(await measure(subject));
    }
  }
  return results;
}

/** The number that this share of the others does not exceed. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** The median, or the lower one of the middle two. */
export const median = (numbers: readonly number[]) => quantile(numbers, 0.5);

export const ratiosOf = (values: readonly number[], references: readonly number[]) =>
  values.map((value, round) => value / (references[round] ?? Number.NaN));

/** The median with the extremes: '1.20 (1.00–1.50)'. */
export function withSpread(numbers: readonly number[]): string {
  const least = Math.min(...numbers);
  const middle = median(numbers);
  const most = Math.max(...numbers);
  return `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}

/** With three significant digits. */
export function rounded(number: number): string {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}
