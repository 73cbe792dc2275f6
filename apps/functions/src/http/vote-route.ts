import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VoteResponse } from '@goty/shared/game';
import {
  APP_CHECK_HEADER,
  IDEMPOTENCY_KEY,
  isId,
  phaseAt,
  VOTE_DEADLINE_MS,
  VOTE_ID_HEADER,
  VOTER_TAG_HEADER,
} from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { isTime } from '@goty/shared/vote-times';
import { withDeadline } from '../runtime/clock.ts';
import { type CastBallot, timeOfChange } from '../votes/ballot.ts';
import type { Client } from './client.ts';
import { createLimit, isCrossSite } from './client.ts';
import type { Context } from './context.ts';
import { PRIVATE_NO_STORE } from './failures.ts';
import { type Body, readObject } from './read-body.ts';
import { headWith } from './security-headers.ts';
import { POLICIES } from './vote-policies.ts';

/** A time at which no ballot was cast, in milliseconds since the Unix epoch. */
const NO_TIME = 0;

/** Why a vote is refused before the opening and after the close; `undefined` while votes are counted. */
const REFUSALS = { before: 'not-open-yet', open: undefined, closed: 'closed' } as const;

const headOf = headWith({
  'Cache-Control': PRIVATE_NO_STORE,
  'Content-Type': 'application/json; charset=utf-8',
});

/**
 * Casts a vote unless it is refused, in this order, for its page, the limit, its id, key or body, its token of App Check, its
 * game, the times of the vote, or its voter. Rejects if the server is at fault or the client disconnects.
 */
export function createCastVote(context: Context) {
  const { groupCommit, view, isValidToken, clientOf, clock, plainCookie, refuse } = context;
  const { voterOf, onePerVisitor, otherGame, otherGameText } = POLICIES[context.policy];
  const isBeyondLimit = createLimit(context.votesPerMinute, clock);

  return async (request: IncomingMessage, response: ServerResponse, id: string) => {
    const client = clientOf(request);
    // The page is checked before the limit is counted, so that a page of another site cannot use up its visitor's votes.
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

    const { state } = snapshot;
    const { voteId } = state;
    const wish = onePerVisitor ? body.replaces : undefined;
    if (!(wish === undefined || isTime(wish))) return refuse(response, 'bad-body');
    const visit = { request, response, client, state, plainCookie };
    const voter = voterOf(visit, key ?? randomUUID(), body.code);
    if (typeof voter === 'string') return refuse(response, voter);
    const { ballotId, tag } = voter;
    const replaces = tag === undefined ? undefined : replacedBy(wish, body, voteId, tag);
    if (tag !== undefined) response.setHeader(VOTER_TAG_HEADER, tag);
    const ballot = { id: ballotId, game: id, at, replaces, voteId };
    const cast = (each: CastBallot) => view.track(groupCommit.cast(each, deadline));
    let outcome = await cast(ballot);
    // If the browser has voted as this voter, the operator has removed the ballot, so the voter can vote again (SPEC S10).
    if (outcome === 'nothing-to-replace' && body.votedAs === tag)
      outcome = await cast({ ...ballot, replaces: undefined });
    switch (outcome) {
      case 'counted':
        return tellCounted(apiTexts.counted(nominee.name), { votedAt: at });
      case 'moved':
        return tellCounted(apiTexts.moved(nominee.name), { votedAt: timeOfChange(ballot) });
      case 'failed':
      // The browser sends the same press again, and by then this process has heard of the reset.
      case 'other-vote':
        return refuse(response, 'unavailable');
      case 'nothing-to-replace':
        response.setHeader(VOTE_ID_HEADER, voteId);
        return refuse(response, outcome);
      case 'overloaded':
      case 'timed-out':
      case 'unknown-game':
        return refuse(response, outcome);
    }
    if (outcome.votedFor === id) return tellCounted(apiTexts.counted(nominee.name), outcome);
    if (!otherGameText) return refuse(response, otherGame);
    response.setHeader(VOTE_ID_HEADER, voteId);
    // The vote is refused in any case, even if the game's name cannot be read.
    const latest = await inTime(view.snapshotForVote(outcome.votedFor)).catch(() => undefined);
    const other = latest?.byId.get(outcome.votedFor);
    if (!other) return refuse(response, otherGame);
    const mensaje = otherGameText(other.name);
    return refuse(response, otherGame, { mensaje, votedFor: other.id, votedAt: outcome.votedAt });

    function tellCounted(mensaje: string, vote: Pick<VoteResponse, 'votedAt' | 'votedFor'>) {
      send(response, client, voteId, { ok: true, mensaje, ...(onePerVisitor && vote) });
    }
  };
}

/** Says whether a voting code is valid, and nothing about a vote that was cast with it (SPEC V19). */
export function createCheckCode(context: Context) {
  const { clientOf, clock, plainCookie, refuse, view } = context;
  const { voterOf } = POLICIES[context.policy];
  const isBeyondLimit = createLimit(context.votesPerMinute, clock);

  return async (request: IncomingMessage, response: ServerResponse) => {
    const client = clientOf(request);
    if (isCrossSite(request, client, context)) return refuse(response, 'cross-site');
    if (isBeyondLimit(client.network)) return refuse(response, 'too-many-votes');
    const body = await readObject(request, response);
    if (typeof body === 'string') return refuse(response, body);
    const { state } = await view.snapshotForList();
    const visit = { request, response, client, state, plainCookie };
    const voter = voterOf(visit, randomUUID(), body.code);
    if (typeof voter === 'string') return refuse(response, voter);
    send(response, client, state.voteId, { ok: true, mensaje: apiTexts.codeValid });
  };
}

/**
 * Returns the time of the ballot that a vote replaces; `undefined` for a first vote; `NO_TIME`, so that nothing is counted, if
 * the browser has voted as another visitor and does not say when (SPEC V15).
 */
function replacedBy(
  wish: number | undefined,
  { votedIn, votedAs }: Body,
  voteId: string,
  tag: string,
): number | undefined {
  if (votedIn === undefined) return wish;
  if (votedIn !== voteId) return undefined;
  return wish ?? (votedAs === tag ? undefined : NO_TIME);
}

/** Returns a header of our own. Node joins repeated ones into one text with commas, and such a text is no valid value. */
function ownHeader({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name.toLowerCase()]?.toString();
}

function send(response: ServerResponse, { isSecure }: Client, voteId: string, body: VoteResponse) {
  const json = JSON.stringify(body);
  const length = String(Buffer.byteLength(json));
  const own = [VOTE_ID_HEADER, voteId, 'Content-Length', length];
  response.writeHead(200, [...headOf(isSecure), ...own]);
  response.end(json);
}
