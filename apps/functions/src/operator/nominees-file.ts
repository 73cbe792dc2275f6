import { readFileSync } from 'node:fs';
import { isCoverUrl } from '@goty/shared/covers';
import type { Nominee } from '@goty/shared/nominee';
import { isId } from '@goty/shared/protocol';
import Papa from 'papaparse';
import * as v from 'valibot';
import { OperatorError, reasonOf } from '../runtime/operator-error.ts';
import { faultOfCover } from './covers.ts';
import { decode, isDoubtful, mend } from './text-file.ts';

const MAX_NAME_LENGTH = 120;
/** A letter, digit, punctuation mark or symbol. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Characters that show nothing by themselves; some of them count as letters. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Control characters, halves of a character, and those that change the direction of what follows. */
const DECEPTIVE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const TEXT = v.string('must be a string');
/** So many faults are named, and of others how many there are. */
const MAX_FAULTS = 10;
/** What a spreadsheet's first line may call the columns, besides the fields themselves. */
const SPANISH: Readonly<Record<string, string>> = { nombre: 'name', portada: 'url' };

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
    v.check(
      (url) => url === '' || isCoverUrl(url),
      'must be an http(s) address or a path that starts with one /, or empty',
    ),
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

/** What a file says, and what the operator should know of it. */
export interface NomineesFile {
  readonly nominees: readonly Nominee[];
  /** Sentences about what was left out, or may surprise. */
  readonly notes: readonly string[];
  /** Names that may not be what was meant, because a program has spoilt them or their encoding is not sure. */
  readonly doubtful: readonly string[];
}

/**
 * Reads the nominees of a file: a JSON list of `{id, name, url}`, or CSV with these columns, as spreadsheets
 * write it. Ids are unique.
 *
 * @param coversFolder the folder of the covers whose URLs begin with `/covers/`
 * @throws OperatorError, one line that names the file and every fault with its place and field
 */
export function readNomineesFile(path: string, coversFolder: string): NomineesFile {
  const { entries, notes, isSure } = readEntries(path);
  if (entries.length === 0) {
    throw bad(path, 'there are no nominees in it (the first line of CSV is id,name,url)');
  }
  const faults: string[] = [];
  const nominees = new Map<string, Nominee>();
  for (const { place, value } of entries) {
    const result = v.safeParse(nomineeSchema, tidy(value));
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
  if (faults.length > MAX_FAULTS) {
    faults.splice(MAX_FAULTS, Infinity, `and ${faults.length - MAX_FAULTS} more`);
  }
  if (faults.length > 0) throw bad(path, faults.join('; '));
  const names = nominees.values().map(({ name }) => name);
  const isUnsure = (name: string) => isDoubtful(name) || (!isSure && /\P{ASCII}/u.test(name));
  return {
    nominees: [...nominees.values()],
    notes: [...notes, ...noteOnOrder([...nominees.keys()])],
    doubtful: [...names.filter(isUnsure)],
  };
}

/** As it was meant, without blanks around it. */
function tidy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, text]) => [name, typeof text === 'string' ? mend(text) : text]),
  );
}

/** Whoever numbers games expects 2 before 10. */
function noteOnOrder(ids: readonly string[]): string[] {
  const shapeOf = (id: string) => id.replaceAll(/\d+/g, '1');
  const padded = (id: string) => id.replaceAll(/\d+/g, (digits) => digits.padStart(64, '0'));
  const pairs = ids.toSorted().map((id, at, sorted) => [id, sorted[at + 1] ?? ''] as const);
  const wrong = pairs.find(([a, b]) => shapeOf(a) === shapeOf(b) && padded(a) > padded(b));
  return wrong ? [`Ids sort as text, so ${wrong.join(' comes before ')}: write 02 for 2.`] : [];
}

/** Says which nominees look alike, a sentence for each group: they may be the same game twice. */
export function doubtsAbout(nominees: readonly Nominee[]): string[] {
  const alike = (what: string, keyOf: (nominee: Nominee) => string) =>
    [...Map.groupBy(nominees, keyOf).values()]
      .filter(({ length }) => length > 1)
      .map((group) => `${group.map(({ id, name }) => `${id} (${name})`).join(' and ')} ${what}.`);
  return [
    ...alike('differ only in case', ({ id }) => id.toLowerCase()),
    ...alike('have the same name', ({ name }) =>
      name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase(),
    ),
  ];
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

function readEntries(path: string) {
  let file: ReturnType<typeof decode>;
  try {
    file = decode(readFileSync(path));
  } catch (error) {
    throw bad(path, reasonOf(error));
  }
  const { text, isSure } = file;
  const isJson = /^\s*[[{]/.test(text);
  return {
    isSure,
    ...(isJson ? { entries: parseJson(path, text), notes: [] } : parseCsv(path, text)),
  };
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

function parseCsv(path: string, text: string) {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  // Excel may begin with a line that names the separator.
  const table = lines.replace(/^sep=.\n/i, '');
  let line = table === lines ? 1 : 2;
  let fields: string[] | undefined;
  const entries: Entry[] = [];
  Papa.parse<string[]>(table, {
    newline: '\n',
    // That of the headings, in which none occurs.
    delimiter: /[,;\t]/.exec(table)?.[0] ?? ',',
    step({ data, errors: [error] }) {
      const place = `line ${line}`;
      line += data.join('').split('\n').length;
      if (error) throw bad(path, `${place}: ${error.message}`);
      if (data.every((cell) => cell.trim() === '')) return;
      if (fields === undefined) fields = fieldsIn(path, data);
      else entries.push({ place, value: toEntry(fields, data) });
    },
  });
  const others = fields?.filter((field) => field !== '' && !isField(field)) ?? [];
  const columns = others.map((field) => `"${field}"`).join(', ');
  const notes = others.length === 0 ? [] : [`Left out of ${path}: what is below ${columns}.`];
  return { entries, notes };
}

const FIELDS = Object.keys(nomineeSchema.entries);
const isField = (name: string) => FIELDS.includes(name);

/** @throws OperatorError unless it names each column of a nominee once, in any order and beside others */
function fieldsIn(path: string, heading: readonly string[]): string[] {
  const names = heading.map((cell) => cell.trim().toLowerCase());
  const fields = names.map((name) => (Object.hasOwn(SPANISH, name) && SPANISH[name]) || name);
  for (const field of FIELDS) {
    const columns = heading.filter((_, at) => fields[at] === field);
    if (columns.length === 1) continue;
    const named = columns.map((cell) => `"${cell.trim()}"`).join(' and ');
    const reason =
      named === '' ? `has no column "${field}"` : `has ${named} for the field ${field}`;
    throw bad(path, `its first line ${reason}: CSV needs the columns id, name and url, each once`);
  }
  return fields;
}

/** A cell without a heading is a fault, unless it is empty: a comma in a name makes one. */
function toEntry(fields: readonly string[], cells: readonly string[]) {
  const named = cells.map((cell, at) => [fields[at] || `column ${at + 1}`, cell] as const);
  return Object.fromEntries(
    named
      .filter(([field, cell]) => isField(field) || (!fields.includes(field) && cell.trim() !== ''))
      .map(([field, cell]) => [field, cell.replace(MARKED, '')]),
  );
}

function bad(path: string, reason: string) {
  return new OperatorError(`The nominees file ${path} cannot be used: ${reason}.`);
}
