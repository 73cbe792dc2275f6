import { type Standing, type VoteResponse, wholeVotes } from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';

// Hand-written, because a schema library would not fit the page's first JavaScript (SPEC W15).

/** Parses the body of a `GET /goty` response. Returns `undefined` if it is not a nominee list. */
export function parseNominees(body: unknown): Nominee[] | undefined {
  return parseList(body, ({ id, name, url }) =>
    isText(id) && isText(name) && isText(url) ? { id, name, url } : undefined,
  );
}

/**
 * Parses standings. Votes that are missing or invalid become 0 (SPEC W14).
 * Returns `undefined` if `body` is anything else.
 */
export function parseStandings(body: unknown): Standing[] | undefined {
  return parseList(body, ({ id, name, votos }) =>
    isText(id) && isText(name) ? { id, name, votos: wholeVotes(votos) ?? 0 } : undefined,
  );
}

/**
 * Parses the body of the response to a vote. Whatever is not `ok: true` is a failure. Returns `undefined` if
 * it has no `mensaje` to show (SPEC W7).
 */
export function parseVoteResponse(body: unknown): VoteResponse | undefined {
  if (!isRecord(body)) return undefined;
  const { ok, mensaje, votedFor } = body;
  return isText(mensaje) && /\p{L}/u.test(mensaje)
    ? { ok: ok === true, mensaje, ...(isText(votedFor) && { votedFor }) }
    : undefined;
}

/** Parses the body of a `GET /standings` response. Returns `undefined` if it is anything else. */
export function parseStandingsResponse(body: unknown) {
  if (!isRecord(body)) return undefined;
  const { now, changes, opensAt, closesAt, frozenAt, voided, movedFrom, nominees } = body;
  const onePerVisitor = body.onePerVisitor === true;
  const final = body.final === true || undefined;
  const standings = parseStandings(body.standings);
  const voids = parseList(body.voids ?? [], ({ from, to }) =>
    isNumber(from) && isNumber(to) ? { from, to } : undefined,
  );
  if (!standings || !isNumber(now) || !isNumber(changes) || !isText(nominees)) return undefined;
  if (!isOptionalNumber(opensAt) || !isOptionalNumber(closesAt)) return undefined;
  if (!isOptionalNumber(frozenAt) || !isOptionalNumber(voided)) return undefined;
  if (!isOptionalNumber(movedFrom) || !voids) return undefined;
  const times = { opensAt, closesAt, frozenAt, movedFrom };
  const told = { final, voided, voids: voids.length > 0 ? voids : undefined };
  return { status: { now, changes, ...times, ...told, nominees, onePerVisitor }, standings };
}

/** Returns `undefined` unless `body` is an array of objects and `parse` accepts all of them. */
function parseList<Entry>(
  body: unknown,
  parse: (entry: Record<string, unknown>) => Entry | undefined,
): Entry[] | undefined {
  if (!Array.isArray(body)) return undefined;
  const entries = body.map((item) => (isRecord(item) ? parse(item) : undefined));
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isOptionalNumber(value: unknown): value is number | undefined {
  return value === undefined || isNumber(value);
}
