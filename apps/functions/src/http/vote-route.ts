import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VoteResponse } from '@goty/shared/game';
import {
  API_PATHS,
  API_PREFIX,
  APP_CHECK_HEADER,
  IDEMPOTENCY_KEY,
  isId,
  phaseAt,
  VISITOR_COOKIE,
  VOTE_DEADLINE_MS,
} from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { isTime } from '@goty/shared/vote-times';
import { parseCookie, stringifySetCookie } from 'cookie';
import { withDeadline } from '../runtime/clock.ts';
import { timeOfChange, type VotePolicy } from '../votes/vote-store.ts';
import type { Client } from './client.ts';
import { createLimit, isCrossSite } from './client.ts';
import type { Context } from './context.ts';
import { type FailureCode, PRIVATE_NO_STORE } from './failures.ts';
import { readObject } from './read-body.ts';
import { headWith } from './security-headers.ts';

/** What depends on how many votes of a visitor count. Each policy says all of it here: nobody else asks for its name. */
interface VoteRules {
  /**
   * Whose requests with the same id are one vote: the presses of a key, or the visitors of a cookie. That comes with the
   * nominee list, which no cache may keep then.
   */
  readonly voter: 'press' | 'visitor';
  /** Whether a visitor has one vote, which can be changed. Pages are told so, and visitors when it was cast (SPEC V14). */
  readonly onePerVisitor: boolean;
  /** Why a vote is refused if its ballot was counted for another game. */
  readonly otherGame: FailureCode;
}

export const VOTE_RULES: Readonly<Record<VotePolicy, VoteRules>> = {
  unlimited: { voter: 'press', onePerVisitor: false, otherGame: 'key-reused' },
  'one-per-visitor': { voter: 'visitor', onePerVisitor: true, otherGame: 'already-voted' },
};

/** Why a vote is refused in a phase; `undefined` if it is counted. */
const REFUSALS = { before: 'not-open-yet', open: undefined, closed: 'closed' } as const;

/** How long a visitor stays the same one, in seconds. */
const COOKIE_MAX_AGE = 365 * 24 * 60 * 60;

const headOf = headWith({
  'Cache-Control': PRIVATE_NO_STORE,
  'Content-Type': 'application/json; charset=utf-8',
});

/**
 * `POST /goty/:id`: refuses votes of another site's page and beyond the limit, then what is malformed, and casts
 * all others.
 *
 * @returns a function that answers a vote for the game with that id. It rejects if the server is at fault.
 */
export function createCastVote(context: Context) {
  const { groupCommit, view, isValidToken, clientOf, clock, refuse } = context;
  const { voter, onePerVisitor, otherGame } = VOTE_RULES[context.policy];
  const isBeyondLimit = createLimit(context.votesPerMinute, clock);

  return async (request: IncomingMessage, response: ServerResponse, id: string) => {
    const client = clientOf(request);
    // Before the limit, so that a page of another site cannot use up its visitor's votes.
    if (isCrossSite(request, client, context)) return refuse(response, 'cross-site');
    if (isBeyondLimit(client.network)) return refuse(response, 'too-many-votes');
    const key = ownHeader(request, IDEMPOTENCY_KEY);
    if (!isId(id)) return refuse(response, 'unknown-game');
    if (key !== undefined && !isId(key)) return refuse(response, 'bad-key');
    const body = await readObject(request, response);
    if (typeof body === 'string') return refuse(response, body);

    const deadline = clock.elapsed() + VOTE_DEADLINE_MS;
    const inTime = <T>(promise: Promise<T>) =>
      withDeadline(promise, deadline - clock.elapsed(), clock);
    const token = ownHeader(request, APP_CHECK_HEADER);
    if (isValidToken && !(token && (await inTime(isValidToken(token))))) {
      return refuse(response, 'unverified');
    }

    const snapshot = view.freshSnapshotFor(id) ?? (await inTime(view.snapshotForVote(id)));
    const nominee = snapshot.byId.get(id);
    if (!nominee) return refuse(response, 'unknown-game');

    const at = clock.now();
    const refusal = REFUSALS[phaseAt(at, snapshot.state.times)];
    if (refusal !== undefined) return refuse(response, refusal);

    const replaces = onePerVisitor ? body.replaces : undefined;
    if (!(replaces === undefined || isTime(replaces))) return refuse(response, 'bad-body');
    const press = key ?? randomUUID();
    const ballotId = voter === 'visitor' ? renewVisitor(request, response, client, press) : press;
    const ballot = { id: ballotId, game: id, at, replaces };
    const outcome = await view.track(groupCommit.cast(ballot, deadline));
    switch (outcome) {
      case 'counted':
        return tellCounted(apiTexts.counted(nominee.name), { votedAt: at });
      case 'moved':
        return tellCounted(apiTexts.moved(nominee.name), { votedAt: timeOfChange(ballot) });
      case 'failed':
        return refuse(response, 'unavailable');
      case 'overloaded':
      case 'timed-out':
      case 'unknown-game':
        return refuse(response, outcome);
    }
    if (outcome.votedFor === id) return tellCounted(apiTexts.counted(nominee.name), outcome);
    if (!onePerVisitor) return refuse(response, otherGame);
    // The vote is refused in any case, even if the game's name cannot be read.
    const latest = await inTime(view.snapshotForVote(outcome.votedFor)).catch(() => undefined);
    const other = latest?.byId.get(outcome.votedFor);
    if (!other) return refuse(response, otherGame);
    const mensaje = apiTexts.alreadyVotedFor(other.name);
    return refuse(response, otherGame, { mensaje, votedFor: other.id, votedAt: outcome.votedAt });

    function tellCounted(mensaje: string, vote: Pick<VoteResponse, 'votedAt' | 'votedFor'>) {
      send(response, client, { ok: true, mensaje, ...(onePerVisitor && vote) });
    }
  };
}

export function welcomeVisitor(request: IncomingMessage, response: ServerResponse, client: Client) {
  if (readVisitor(request) === undefined) rememberVisitor(response, client, randomUUID());
}

/**
 * Returns the visitor's id, and renews the cookie with it, so that a visitor who keeps voting stays the same one. Without
 * a cookie, the id is the key of the press: if the reply that sets the cookie is lost, a retry of the press counts once.
 */
function renewVisitor(
  request: IncomingMessage,
  response: ServerResponse,
  client: Client,
  press: string,
): string {
  const visitor = readVisitor(request) ?? press;
  rememberVisitor(response, client, visitor);
  return visitor;
}

/** The value of a header of our own. Node joins several into one. */
function ownHeader({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name.toLowerCase()]?.toString();
}

function send(response: ServerResponse, { isSecure }: Client, body: VoteResponse) {
  const json = JSON.stringify(body);
  const length = String(Buffer.byteLength(json));
  response.writeHead(200, [...headOf(isSecure), 'Content-Length', length]);
  response.end(json);
}

function readVisitor({ headers }: IncomingMessage): string | undefined {
  const id = parseCookie(headers.cookie ?? '')[VISITOR_COOKIE];
  return id !== undefined && isId(id) ? id : undefined;
}

function rememberVisitor(response: ServerResponse, { isSecure }: Client, id: string) {
  const cookie = stringifySetCookie({
    name: VISITOR_COOKIE,
    value: id,
    maxAge: COOKIE_MAX_AGE,
    // The CDN keeps a copy for each cookie, and what everybody is told is at other paths.
    path: `${API_PREFIX}${API_PATHS.nominees}`,
    httpOnly: true,
    secure: isSecure,
    sameSite: 'lax',
  });
  response.setHeader('Set-Cookie', cookie);
}
