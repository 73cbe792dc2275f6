import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../runtime/operator-error.ts';
import { unknownVariables, VARIABLES } from './config.ts';
import { readText } from './text-file.ts';

/** The values of these variables may have a `#`, so that a `#` without quotes may begin a comment or be meant as part of the value. */
const TEXTS: readonly string[] = ['DATABASE', 'NOMINEES', 'COVERS', 'EVENT_NAME', 'EVENT_COLOR'];
const ASSIGNMENT = /^(?:export\s+)?([a-z_][\w-]*)\s*=\s*(.*)$/i;
/** A value in quotes, perhaps with a comment behind. Neither has the quote in it, or nobody could say where the value ends. */
const QUOTED = /^(["'`])((?:(?!\1).)*)\1(?:\s+#(?:(?!\1).)*)?$/;
/** `echo NAME=value >> .env` puts a second variable into a last line without a line break: `Gala 2026DATABASE=…`. */
const SECOND = new RegExp(`(?:${VARIABLES.join('|')})=`);
const BEHIND_COMMENT = new RegExp(`[a-z0-9.=](?:${VARIABLES.join('|')})=`);
const TWO_ENCODINGS = 'it is no text, or has two encodings by two programs: save it as UTF-8';

/**
 * Adds the variables of `.env`, if there is such a file, to those in `process.env`, which keep their values. Returns notes.
 *
 * @throws OperatorError as `readVariables` does, and for a misspelt variable
 */
export function loadVariables(folder: string): string[] {
  const path = join(folder, '.env');
  if (!existsSync(path)) return [];
  const { variables, notes } = readVariables(path);
  const [misspelt] = unknownVariables(variables);
  if (misspelt !== undefined) throw new OperatorError(`${path}: ${misspelt}`);
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  return notes;
}

/**
 * Replaces a library, which would silently drop lines that it does not understand, so that votes go into another database.
 *
 * @throws OperatorError if the file cannot be read, or lines may not say what was meant: the message names the first ten
 */
export function readVariables(path: string) {
  const { text } = readText(path, TWO_ENCODINGS);
  const isMixed = SECOND.test(Buffer.from(text, 'utf16le').toString('latin1'));
  if (isMixed) throw new OperatorError(`${path} cannot be read: ${TWO_ENCODINGS}.`);
  const variables: Record<string, string> = {};
  const faults: string[] = [];
  const notes: string[] = [];
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    const place = `line ${index + 1}`;
    const { name, value = '', fault } = readLine(line.trim());
    if (fault !== undefined) faults.push(`${place} ${fault}`);
    if (name === undefined) continue;
    const earlier = variables[name] ?? value;
    if (earlier !== value) notes.push(`${path}: ${place} replaces ${name}=${earlier}.`);
    variables[name] = value;
  }
  if (faults.length > 0) throw new OperatorError(`${path}: ${faults.slice(0, 10).join('; ')}.`);
  return { variables, notes };
}

function readLine(line: string): { name?: string; value?: string; fault?: string } {
  if (line === '' || line.startsWith('#')) {
    return BEHIND_COMMENT.test(line) ? { fault: 'has a variable behind a comment' } : {};
  }
  const [, name, text = ''] = ASSIGNMENT.exec(line) ?? [];
  if (name === undefined) return { fault: 'is not NAME=value' };
  const value = QUOTED.exec(text)?.[2];
  if (value !== undefined) return { name, value };
  if (/^["'`“”„‘’]/.test(text)) {
    return { fault: 'begins with a quote: put the whole value into quotes that are not in it' };
  }
  if (SECOND.test(text)) return { fault: 'has two variables: begin a new line for the second' };
  if (TEXTS.includes(name) && text.includes('#')) {
    return { fault: 'has a #: put the value into quotes, and a comment on a line of its own' };
  }
  return { name, value: text.replace(/(^|\s+)#.*/, '') };
}
