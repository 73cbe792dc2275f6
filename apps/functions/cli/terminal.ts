import { isCancel, spinner, text } from '@clack/prompts';
import Papa from 'papaparse';
import { OperatorError, printable } from '../src/runtime/operator-error.ts';
import type { Flags } from './target.ts';

/** @throws OperatorError unless the answer is yes */
export async function askForYes(question: string, yes: boolean | undefined) {
  if (yes) return;
  if (!process.stdin.isTTY) {
    throw new OperatorError(`${question} Nothing was changed: add --yes to do it.`);
  }
  // clack's `confirm` is not used, because it takes the first y that is typed for a yes, before Enter.
  const ended = new AbortController();
  // After Ctrl-D, clack never answers. The process would then end without a word, so the question is given up before that.
  process.once('beforeExit', () => ended.abort());
  const { signal } = ended;
  const answer = await text({ message: `${question} Type yes:`, output: process.stderr, signal });
  const isYes = !isCancel(answer) && answer?.trim().toLowerCase() === 'yes';
  if (!isYes) throw new OperatorError('Nothing was changed.');
}

export async function whileBusy<Result>(message: string, work: Promise<Result>): Promise<Result> {
  if (!process.stderr.isTTY) return work;
  const { start, stop } = spinner({ output: process.stderr });
  start(message);
  return work.finally(() => stop(message));
}

/** Prints a line without control characters, because a text from a file must not control the terminal. */
export function printLine(line: string) {
  console.info(printable(line));
}

export function printJson(value: unknown) {
  console.info(JSON.stringify(value, undefined, 2));
}

/** A spreadsheet finds a formula in such a cell, which gets one more apostrophe, because nominees-file.ts takes one off. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** Without this mark, Excel reads the file in one of Windows' old code pages. */
const BYTE_ORDER_MARK = '\ufeff';

/** Prints rows: as JSON, as CSV for a Spanish spreadsheet, or in aligned columns, numbers to the right. */
export function printRows(
  columns: string[],
  rows: readonly Readonly<Record<string, unknown>>[],
  options: Flags<'csv' | 'json'> = {},
) {
  if (options.json) return printJson(rows);
  const cells = rows.map((row) => columns.map((column) => row[column] ?? ''));
  if (options.csv) {
    // A Spanish Excel takes a number with a decimal point for a date, and shows cells between commas in one column.
    const local = cells.map((row) =>
      row.map((cell) => (typeof cell === 'number' ? String(cell).replace('.', ',') : cell)),
    );
    const csv = { delimiter: ';', escapeFormulae: FORMULA, newline: '\n' };
    return console.info(BYTE_ORDER_MARK + Papa.unparse([columns, ...local], csv));
  }
  const table = [columns, ...cells];
  const widths = columns.map((_, at) => Math.max(...table.map((row) => String(row[at]).length)));
  for (const row of table) {
    const padded = row.map((cell, at) => {
      const [text, width = 0] = [String(cell), widths[at]];
      return typeof cell === 'number' ? text.padStart(width) : text.padEnd(width);
    });
    printLine(padded.join('  ').trimEnd());
  }
}
