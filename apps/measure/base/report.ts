import { readFileSync, writeFileSync } from 'node:fs';
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

/** What stands in a page of docs between the marks of that name. */
export function readPart(page: string, name: string): string {
  return split(page, name).part.trim();
}

/** Replaces what stands in a page of docs between the marks of that name. */
export function writePart(page: string, name: string, part: string) {
  const { before, after } = split(page, name);
  writeFileSync(pathOf(page), `${before}\n\n${part}\n\n${after}`);
}

/** With three significant digits. */
export function rounded(number: number): string {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toPrecision(3)));
}

function split(page: string, name: string) {
  const text = readFileSync(pathOf(page), 'utf8');
  const mark = `<!-- ${name} -->`;
  const start = text.indexOf(mark) + mark.length;
  const end = text.indexOf(`<!-- end of ${name} -->`);
  if (start < mark.length || end < start) throw new Error(`docs/${page} has no place for ${name}`);
  return { before: text.slice(0, start), part: text.slice(start, end), after: text.slice(end) };
}

function pathOf(page: string): string {
  return resolve(ROOT, 'docs', page);
}
