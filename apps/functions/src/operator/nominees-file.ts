import { isCoverUrl, NOMINEE_TEXTS, type Nominee, toNominee } from '@goty/shared/nominee';
import { isId } from '@goty/shared/protocol';
import Papa from 'papaparse';
import * as v from 'valibot';
import { errorText, OperatorError } from '../runtime/operator-error.ts';
import { faultOfCover } from './covers.ts';
import { isDoubtful, mend, readText } from './text-file.ts';

const MAX_NAME_LENGTH = 120;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Characters that show nothing by themselves are left out when a name is checked, because some of them count as letters. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Control characters, halves of a character, and characters that change the direction of the text behind them. */
const DECEPTIVE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const TEXT = v.string('must be a string');
/** What the first line of a spreadsheet may call the columns, besides the names of the fields. */
const SPANISH: Record<Exclude<keyof Nominee, 'id'>, string> = { name: 'nombre', url: 'portada' };

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

export const NOMINEE_FIELDS = Object.keys(nomineeSchema.entries);
const LISTED_FIELDS = new Intl.ListFormat('en-GB').format(NOMINEE_FIELDS);

function isName(text: string): boolean {
  const isVisible = VISIBLE.test(text.replace(IGNORABLE, ''));
  return text.length <= MAX_NAME_LENGTH && isVisible && !DECEPTIVE.test(text);
}

interface FileEntry {
  readonly place: string;
  readonly value: unknown;
}

export type NomineesFile = ReturnType<typeof readNomineesFile>;

/**
 * Reads a JSON list, or CSV as spreadsheets write it. Ids are unique. `doubtful` has up to ten names that may be mistakes.
 *
 * @throws OperatorError, one line that names the file and the first ten faults with their places and fields
 */
export function readNomineesFile(path: string, coversFolder: string) {
  const { text, isSure } = readText(path);
  const notes: string[] = [];
  const entries = /^\s*[[{]/.test(text) ? parseJson(path, text) : parseCsv(path, text, notes);
  if (entries.length === 0) {
    throw nomineesFileError(
      path,
      `there are no nominees in it (the first line of CSV is ${NOMINEE_FIELDS.join()})`,
    );
  }
  const faults: string[] = [];
  const nominees = new Map<string, Nominee>();
  for (const { place, value } of entries) {
    const result = v.safeParse(nomineeSchema, value);
    if (!result.success) {
      faults.push(...result.issues.map((issue) => `${place}${faultOfIssue(issue)}`));
    } else if (nominees.has(result.output.id)) {
      faults.push(`${place}, field "id": "${result.output.id}" appears twice`);
    } else {
      nominees.set(result.output.id, result.output);
      const fault = faultOfCover(coversFolder, result.output.url);
      if (fault !== undefined) faults.push(`${place}, field "url": ${fault}`);
    }
  }
  if (faults.length > 0) throw nomineesFileError(path, atMostTen(faults).join('; '));
  notes.push(...noteOnOrder([...nominees.keys()]));
  const names = [...nominees.values()].map(({ name }) => name);
  const isUnsure = (name: string) => isDoubtful(name) || (!isSure && /\P{ASCII}/u.test(name));
  return { nominees: [...nominees.values()], notes, doubtful: atMostTen(names.filter(isUnsure)) };
}

/** Returns the first ten lines and, if there are more, a line that says how many. */
export function atMostTen(lines: readonly string[]): string[] {
  const ending = lines.length > 10 ? [`and ${lines.length - 10} more`] : [];
  return [...lines.slice(0, 10), ...ending];
}

/** Returns a note if ids sort as text in another order than by their numbers: whoever numbers games expects 2 before 10. */
function noteOnOrder(ids: readonly string[]): string[] {
  const shapeOf = (id: string) => id.replaceAll(/\d+/g, '1');
  const padded = (id: string) => id.replaceAll(/\d+/g, (digits) => digits.padStart(64, '0'));
  const pairs = ids.toSorted().map((id, at, sorted) => [id, sorted[at + 1] ?? ''] as const);
  const wrong = pairs.find(([a, b]) => shapeOf(a) === shapeOf(b) && padded(a) > padded(b));
  return wrong ? [`Ids sort as text, so ${wrong.join(' comes before ')}: write 02 for 2.`] : [];
}

/** Says which nominees look alike, in a sentence for each group: they may be the same game twice. */
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

/** Returns what is wrong with a nominee, in sentences for the operator; none if the nominee is valid. */
export function faultsOfNominee(nominee: Nominee): string[] {
  const { issues = [] } = v.safeParse(nomineeSchema, toNominee(nominee));
  return issues.map((issue) => faultOfIssue(issue).replace(/^, /, ''));
}

function faultOfIssue(issue: v.InferIssue<typeof nomineeSchema>): string {
  const field = v.getDotPath(issue);
  if (field === null) return `: must be an object with ${LISTED_FIELDS}`;
  if (issue.type !== 'strict_object') return `, field "${field}": ${issue.message}`;
  const reason = issue.expected === 'never' ? 'is not a field of a nominee' : 'is missing';
  return `, field "${field}": ${reason}`;
}

function parseJson(path: string, text: string): FileEntry[] {
  let content: unknown;
  try {
    content = JSON.parse(text, (_key, value) => (typeof value === 'string' ? mend(value) : value));
  } catch (error) {
    throw nomineesFileError(path, errorText(error));
  }
  if (!Array.isArray(content))
    throw nomineesFileError(path, `it must contain a list of {${NOMINEE_FIELDS.join(', ')}}`);
  return content.map((value, index) => ({ place: `entry ${index + 1}`, value }));
}

/** The apostrophe with which `goty … --csv` marks a cell as text, so that no spreadsheet finds a formula in the cell. */
const TEXT_MARK = /^'(?='*[=+\-@\t\r])/;

function parseCsv(path: string, text: string, notes: string[]): FileEntry[] {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  // Excel may begin with a line that names the separator, which is left out here.
  const table = lines.replace(/^("?)sep=.\1\n/i, '');
  let line = table === lines ? 1 : 2;
  let fields: string[] | undefined;
  const entries: FileEntry[] = [];
  Papa.parse<string[]>(table, {
    newline: '\n',
    // The first separator in the file separates the headings, whose names contain no separator.
    delimiter: /[,;\t]/.exec(table)?.[0] ?? ',',
    step({ data, errors: [error] }) {
      const place = `line ${line}`;
      line += data.join('').split('\n').length;
      if (error) throw nomineesFileError(path, `${place}: ${error.message}`);
      if (data.every((cell) => cell.trim() === '')) return;
      if (fields === undefined) fields = fieldsIn(path, data);
      else entries.push({ place, value: toEntry(fields, data) });
    },
  });
  const unusedFields = fields?.filter((field) => field !== '' && !isField(field)) ?? [];
  if (unusedFields.length > 0) {
    const columns = unusedFields.length > 1 ? 'columns' : 'column';
    notes.push(`Left out of ${path}: the ${columns} ${unusedFields.join(', ')}.`);
  }
  return entries;
}

const isField = (name: string) => NOMINEE_FIELDS.includes(name);

/** @throws OperatorError unless the heading names each field of a nominee once, in any order and beside others */
function fieldsIn(path: string, heading: readonly string[]): string[] {
  const names = heading.map((cell) => cell.trim().toLowerCase());
  const fields = names.map((name) => NOMINEE_TEXTS.find((text) => SPANISH[text] === name) ?? name);
  for (const field of NOMINEE_FIELDS) {
    const columns = heading.filter((_, at) => fields[at] === field);
    if (columns.length === 1) continue;
    const named = columns.map((cell) => `"${cell.trim()}"`).join(' and ');
    const reason =
      named === ''
        ? `has no column "${field}", but ${heading.map((cell) => cell.trim()).join(', ')}`
        : `has ${named} for the field ${field}`;
    throw nomineesFileError(
      path,
      `its first line ${reason}: CSV needs the columns ${LISTED_FIELDS}, each once`,
    );
  }
  return fields;
}

/** Drops cells of other columns. A filled cell without a heading, as a comma in a name makes one, stays, and is then a fault. */
function toEntry(fields: readonly string[], cells: readonly string[]) {
  const named = cells.map((cell, at) => [fields[at] || `column ${at + 1}`, cell] as const);
  return Object.fromEntries(
    named
      .filter(([field, cell]) => isField(field) || (!fields.includes(field) && cell.trim() !== ''))
      .map(([field, cell]) => [field, mend(cell.replace(TEXT_MARK, ''))]),
  );
}

function nomineesFileError(path: string, reason: string) {
  return new OperatorError(`The nominees file ${path} cannot be used: ${reason}.`);
}
