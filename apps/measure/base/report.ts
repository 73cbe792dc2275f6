import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';

/** The folder of the project. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** A line of a table: the cells by their column. Every row has the same columns. */
export type Row = Readonly<Record<string, string | number>>;

/** A table in Markdown. */
export function markdownTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return [columns, columns.map(() => '---'), ...rows.map((row) => Object.values(row))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Prints a table with the day and the machine. If wanted, it replaces the one in docs/performance.md. */
export function publish(name: string, rows: readonly Row[], isWritten: boolean) {
  const [processor] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const machine = `Node ${process.version}, ${cpus().length} cores (${processor?.model.trim()})`;
  const table = `Measured on ${date}, ${machine}.\n\n${markdownTable(rows)}`;
  console.log(table);
  if (isWritten) editPart('performance.md', name, () => table);
}

/** Replaces what stands in a page of docs between the marks of that name. */
export function editPart(page: string, name: string, edit: (part: string) => string) {
  const path = resolve(ROOT, 'docs', page);
  const parts = readFileSync(path, 'utf8').split(
    new RegExp(`(?<=<!-- ${name} -->)|(?=<!-- end of ${name} -->)`),
  );
  const [before, part, after] = parts;
  if (part === undefined || after === undefined)
    throw new Error(`docs/${page} has no place for ${name}`);
  writeFileSync(path, `${before}\n\n${edit(part.trim())}\n\n${after}`);
}

/** With three significant digits. */
export function rounded(number: number): string {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}
