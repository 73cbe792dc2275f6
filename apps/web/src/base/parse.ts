import {
  type Standing,
  type StandingsResponse,
  type VoteResponse,
  wholeVotes,
} from '@goty/shared/game';
import type { Nominee } from '@goty/shared/nominee';

// A captive portal may answer for the server. Page and server come from one deploy, so fields that only the server writes make a
// body credible. A document in Firestore may be written by hand, so each field of a game is checked.

export function parseNominees(body: unknown): Nominee[] | undefined {
  return parseList(body, ({ id, name, url }) =>
    isText(id) && isText(name) && isText(url) ? { id, name, url } : undefined,
  );
}

/** Votes that are missing or invalid become 0 (SPEC W14). Returns `undefined` if `body` is no list of games with id and name. */
export function parseStandings(body: unknown): Standing[] | undefined {
  return parseList(body, ({ id, name, votos }) =>
    isText(id) && isText(name) ? { id, name, votos: wholeVotes(votos) ?? 0 } : undefined,
  );
}

/** Whatever is not `ok: true` is a failure. Returns `undefined` if the body has no `mensaje` to show (SPEC W7). */
export function parseVoteResponse(body: unknown): VoteResponse | undefined {
  return isVoteResponse(body) ? { ...body, ok: body.ok === true } : undefined;
}

function isVoteResponse(body: unknown): body is VoteResponse {
  return isRecord(body) && isText(body.mensaje) && /\p{L}/u.test(body.mensaje);
}

export function parseStandingsResponse(body: unknown) {
  if (!isStandingsResponse(body)) return undefined;
  const { standings: rows, tally, ...status } = body;
  const standings = parseStandings(rows);
  return standings && { status, standings, tally };
}

function isStandingsResponse(body: unknown): body is StandingsResponse {
  return isRecord(body) && typeof body.now === 'number' && typeof body.changes === 'number';
}

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
