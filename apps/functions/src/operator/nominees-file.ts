import { readFileSync } from 'node:fs';
import { isId } from '@goty/shared/ids';
import { mapNomineeFields, NOMINEE_FIELDS, type Nominee } from '@goty/shared/nominee';
import * as v from 'valibot';
import { OperatorError } from '../runtime/operator-error.ts';

const TEXT = v.string('must be a string');

const nominee = v.strictObject({
  id: v.pipe(TEXT, v.check(isId, 'must be 1 to 64 of A-Z a-z 0-9 _ - (and not __…__)')),
  ...mapNomineeFields((field) => {
    const { accepts, rule } = NOMINEE_FIELDS[field];
    return v.pipe(TEXT, v.check(accepts, rule));
  }),
});

/**
 * The nominees of a JSON file: a list of `{id, name, url}` with unique ids.
 *
 * @throws OperatorError that names the file, the reason and, for a bad entry, its number and field
 */
export function readNomineesFile(path: string): Nominee[] {
  const nominees = parseFile(path);
  const ids = new Set<string>();
  return nominees.map((entry, index) => {
    const result = v.safeParse(nominee, entry);
    if (!result.success) throw badEntry(path, index, result.issues[0]);
    const { id } = result.output;
    if (ids.has(id)) throw bad(path, `entry ${index + 1}, field "id": "${id}" appears twice`);
    ids.add(id);
    return result.output;
  });
}

function parseFile(path: string): unknown[] {
  let content: unknown;
  try {
    // Strips a byte order mark, and rejects anything but UTF-8.
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    throw bad(path, error instanceof Error ? oneLine(error.message) : String(error));
  }
  if (!Array.isArray(content)) throw bad(path, 'it must contain a list of {id, name, url}');
  return content;
}

function badEntry(path: string, index: number, issue: v.InferIssue<typeof nominee>) {
  const field = v.getDotPath(issue);
  const entry = `entry ${index + 1}`;
  if (field === null) return bad(path, `${entry}: must be an object with id, name and url`);
  if (issue.type !== 'strict_object')
    return bad(path, `${entry}, field "${field}": ${issue.message}`);
  const reason = issue.expected === 'never' ? 'is not a field of a nominee' : 'is missing';
  return bad(path, `${entry}, field "${field}": ${reason}`);
}

function bad(path: string, reason: string) {
  return new OperatorError(`The nominees file ${path} cannot be used: ${reason}.`);
}

function oneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ');
}
