import { readFileSync } from 'node:fs';
import { isCoverUrl } from '@goty/shared/cover-url';
import { isId } from '@goty/shared/ids';
import type { Nominee } from '@goty/shared/nominee';
import Papa from 'papaparse';
import * as v from 'valibot';
import { OperatorError } from '../runtime/operator-error.ts';
import { faultOfCover } from './covers.ts';

const MAX_NAME_LENGTH = 120;
/** A letter, digit, punctuation mark or symbol. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Characters that show nothing by themselves; some of them count as letters. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Control characters, halves of a character, and those that change the direction of what follows. */
const DECEPTIVE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const TEXT = v.string('must be a string');

/** What each field of a nominee may hold. */
export const nomineeSchema = v.strictObject({
  id: v.pipe(TEXT, v.check(isId, 'must be 1 to 64 of A-Z a-z 0-9 _ - (and not __…__)')),
  name: v.pipe(
    TEXT,
    v.check(
      isName,
      `must be 1 to ${MAX_NAME_LENGTH} characters, not only spaces or invisible ones, without control characters`,
    ),
  ),
  url: v.pipe(
    TEXT,
    v.check(isCoverUrl, 'must be an http(s) address or a path that starts with one /'),
  ),
});

function isName(text: string): boolean {
  const isVisible = VISIBLE.test(text.replace(IGNORABLE, ''));
  return text.length <= MAX_NAME_LENGTH && isVisible && !DECEPTIVE.test(text);
}

/** One nominee of a file, not yet validated, and where it is: `entry 1` or `line 2`. */
interface Entry {
  readonly place: string;
  readonly value: unknown;
}

/**
 * Reads the nominees of a file: a JSON list of `{id, name, url}` or, if the file's name ends in
 * `.csv`, CSV with these columns. Ids are unique.
 *
 * @param coversFolder the folder of the covers whose URLs begin with `/covers/`
 * @throws OperatorError, one line that names the file and every fault with its place and field
 */
export function readNomineesFile(path: string, coversFolder: string): Nominee[] {
  const entries = readEntries(path);
  if (entries.length === 0) {
    throw bad(path, 'there are no nominees in it (the first line of CSV is id,name,url)');
  }
  const faults: string[] = [];
  const nominees = new Map<string, Nominee>();
  for (const { place, value } of entries) {
    const result = v.safeParse(nomineeSchema, value);
    if (!result.success) {
      faults.push(...result.issues.map((issue) => `${place}${faultOf(issue)}`));
    } else if (nominees.has(result.output.id)) {
      faults.push(`${place}, field "id": "${result.output.id}" appears twice`);
    } else {
      nominees.set(result.output.id, result.output);
      const fault = faultOfCover(coversFolder, result.output.url);
      if (fault !== undefined) faults.push(`${place}, field "url": ${fault}`);
    }
  }
  if (faults.length > 0) throw bad(path, faults.join('; '));
  return [...nominees.values()];
}

/** Returns what is wrong with a nominee, in sentences for the operator. The list is empty if it is valid. */
export function faultsOfNominee(nominee: Nominee): string[] {
  const { issues = [] } = v.safeParse(nomineeSchema, nominee);
  return issues.map((issue) => faultOf(issue).replace(/^, /, ''));
}

function faultOf(issue: v.InferIssue<typeof nomineeSchema>): string {
  const field = v.getDotPath(issue);
  if (field === null) return ': must be an object with id, name and url';
  if (issue.type !== 'strict_object') return `, field "${field}": ${issue.message}`;
  const reason = issue.expected === 'never' ? 'is not a field of a nominee' : 'is missing';
  return `, field "${field}": ${reason}`;
}

function readEntries(path: string): Entry[] {
  let text: string;
  try {
    // Strips a byte order mark, and rejects anything but UTF-8.
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const isEncoding = error instanceof TypeError;
    throw bad(path, isEncoding ? 'it is not UTF-8 (in Excel: CSV UTF-8)' : reasonOf(error));
  }
  return path.toLowerCase().endsWith('.csv') ? parseCsv(path, text) : parseJson(path, text);
}

function parseJson(path: string, text: string): Entry[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw bad(path, reasonOf(error));
  }
  if (!Array.isArray(content)) throw bad(path, 'it must contain a list of {id, name, url}');
  return content.map((value, index) => ({ place: `entry ${index + 1}`, value }));
}

/** Cells that `goty … --csv` has marked as text, so that no spreadsheet finds a formula in them. */
const MARKED = /^'(?='*[=+\-@\t\r])/;

function parseCsv(path: string, text: string): Entry[] {
  // Excel may begin with a line that names the separator. Papa finds the separator by itself.
  const table = text.replace(/^sep=.(?=\r?\n)/i, '');
  const entries: Entry[] = [];
  let end = 0;
  Papa.parse<Record<string, unknown>>(table, {
    header: true,
    skipEmptyLines: true,
    transform: (cell) => cell.replace(MARKED, ''),
    step({ data, errors, meta }) {
      const place = `line ${lineAt(table, end)}`;
      end = meta.cursor;
      const [error] = errors;
      if (error && error.code !== 'TooFewFields') throw bad(path, `${place}: ${error.message}`);
      entries.push({ place, value: data });
    },
  });
  return entries;
}

/** Returns the number of the first line with text at or after that index, never the header's. */
function lineAt(text: string, index: number): number {
  const start = index || (/^\s*.*\n/.exec(text)?.[0].length ?? 0);
  const blank = /^\s*/.exec(text.slice(start))?.[0].length ?? 0;
  return text.slice(0, start + blank).split('\n').length;
}

function bad(path: string, reason: string) {
  return new OperatorError(`The nominees file ${path} cannot be used: ${reason}.`);
}

function reasonOf(error: unknown) {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
}
