import type { Standing, VoteResponse } from './game.ts';
import { type Nominee, nomineeFieldNames, toNominee } from './nominee.ts';

// By hand, not with a schema library: this is a part of the page's first JavaScript.

/** The nominee list in an answer's body, or `undefined` where it is anything else. */
export function parseNominees(body: unknown): Nominee[] | undefined {
  return parseList(body, ({ id, ...texts }) =>
    isText(id) && nomineeFieldNames.every((field) => isText(texts[field]))
      ? toNominee(id, (field) => String(texts[field]))
      : undefined,
  );
}

/** The standing in a live event, or `undefined` where it is anything else. */
export function parseStandings(body: unknown): Standing[] | undefined {
  return parseList(body, ({ id, name, votos }) =>
    isText(id) && isText(name) ? { id, name, votos: wholeVotes(votos) ?? 0 } : undefined,
  );
}

/** The answer to a vote, or `undefined` for a body that says nothing usable (SPEC W8). */
export function parseVoteResponse(body: unknown): VoteResponse | undefined {
  if (!isRecord(body)) return undefined;
  const { ok, mensaje } = body;
  return typeof ok === 'boolean' && isText(mensaje) && mensaje !== '' ? { ok, mensaje } : undefined;
}

/** A stored vote count, or `undefined` where it is absent or not a whole number (SPEC W14). */
export function wholeVotes(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}

/** `undefined` unless it is a list in which every entry is an object that `parse` accepts. */
function parseList<Entry>(
  body: unknown,
  parse: (entry: Record<string, unknown>) => Entry | undefined,
): Entry[] | undefined {
  if (!Array.isArray(body)) return undefined;
  const entries: Entry[] = [];
  for (const item of body) {
    const entry = isRecord(item) ? parse(item) : undefined;
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return entries;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
