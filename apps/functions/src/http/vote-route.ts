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
import type { VoteOutcome } from '../votes/group-commit.ts';
import { timeOfChange, type VotePolicy } from '../votes/vote-store.ts';
import type { Client } from './client.ts';
import type { Context } from './context.ts';
import { isCrossSite } from './cross-site.ts';
import { type FailureCode, PRIVATE_NO_STORE } from './failures.ts';
import { createLimit } from './rate-limit.ts';
import { readObject } from './read-body.ts';
import { headWith } from './security-headers.ts';

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
  const { groupCommit, view, policy, isValidToken, clientOf, clock, refuse } = context;
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
    const phase = phaseAt(at, snapshot.state.times);
    if (phase !== 'open') return refuse(response, phase === 'closed' ? 'closed' : 'not-open-yet');

    const replaces = policy === 'one-per-visitor' ? body.replaces : undefined;
    if (!(replaces === undefined || isTime(replaces))) return refuse(response, 'bad-body');
    const ballotId = ballotIdOf(policy, request, response, client, key);
    const ballot = { id: ballotId, game: id, at, replaces };
    const outcome = await groupCommit.cast(ballot, deadline);
    if (typeof outcome === 'object' && policy === 'one-per-visitor') {
      // The vote is refused in any case, even if the game's name cannot be read.
      const latest = await inTime(view.snapshotForVote(outcome.votedFor)).catch(() => undefined);
      const other = latest?.byId.get(outcome.votedFor);
      return refuse(
        response,
        'already-voted',
        other && {
          ...{ mensaje: apiTexts.alreadyVotedFor(other.name), votedFor: other.id },
          votedAt: outcome.votedAt,
        },
      );
    }
    const failure = failureOfOutcome(outcome);
    if (failure) return refuse(response, failure);
    const { name } = nominee;
    const [mensaje, votedAt] =
      outcome === 'moved'
        ? [apiTexts.moved(name), timeOfChange(ballot)]
        : [apiTexts.counted(name), at];
    const told = outcome === 'replayed' ? { votedFor: id } : { votedAt };
    tellCounted(response, client, {
      ...{ ok: true, mensaje },
      ...(policy === 'one-per-visitor' && told),
    });
  };
}

export function welcomeVisitor(request: IncomingMessage, response: ServerResponse, client: Client) {
  if (readVisitor(request) === undefined) rememberVisitor(response, client, randomUUID());
}

/** The value of a header of our own. Node joins several into one. */
function ownHeader({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name.toLowerCase()]?.toString();
}

function tellCounted(response: ServerResponse, { isSecure }: Client, body: VoteResponse) {
  const json = JSON.stringify(body);
  const length = String(Buffer.byteLength(json));
  response.writeHead(200, [...headOf(isSecure), 'Content-Length', length]);
  response.end(json);
}

/** The failure to send, or `undefined` if the vote counts. A replay was counted before. */
function failureOfOutcome(outcome: VoteOutcome): FailureCode | undefined {
  if (typeof outcome === 'object') return 'key-reused';
  if (outcome === 'counted' || outcome === 'moved' || outcome === 'replayed') return undefined;
  return outcome === 'failed' ? 'unavailable' : outcome;
}

/**
 * Returns the id of the ballot for a vote. Requests with the same ballot id are the same vote:
 * normally those with the key of one press, and under `one-per-visitor` all those of one visitor.
 *
 * A visitor without a cookie gets the key of the press as its id. So if the reply that sets the cookie
 * is lost, a retry of the press still counts once.
 *
 * @param key the press's Idempotency-Key, already validated; without one, the vote gets a random id
 */
function ballotIdOf(
  policy: VotePolicy,
  request: IncomingMessage,
  response: ServerResponse,
  client: Client,
  key: string | undefined,
): string {
  const press = key ?? randomUUID();
  if (policy === 'unlimited') return press;
  const visitor = readVisitor(request) ?? press;
  // The cookie is renewed with every vote, so that a visitor who keeps voting stays the same one.
  rememberVisitor(response, client, visitor);
  return visitor;
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
