import type { ServerResponse } from 'node:http';
import type { VoteResponse } from '@goty/shared/game';
import { isId } from '@goty/shared/ids';
import { APP_CHECK_HEADER, IDEMPOTENCY_KEY, VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import type { RequestHandler } from 'express';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { GroupCommit, VoteOutcome } from '../votes/group-commit.ts';
import type { Nominees } from '../votes/nominees.ts';
import type { VotePolicy } from '../votes/vote-policy.ts';
import type { VoteTimes } from '../votes/vote-store.ts';
import type { FailureCode, Refuse } from './failures.ts';
import { checkBody } from './read-body.ts';
import { ballotIdOf } from './visitor.ts';

export interface VoteDeps {
  readonly votes: GroupCommit;
  readonly nominees: Nominees;
  readonly policy: VotePolicy;
  /** Whether a token of App Check is valid; by default votes need none. */
  readonly isValidToken?: ((token: string) => Promise<boolean>) | undefined;
  readonly clock: Clock;
  readonly refuse: Refuse;
}

/** `POST /goty/:id`: validates id, key and body before anything else, then casts the vote. */
export function voteRoute(deps: VoteDeps): RequestHandler<{ id: string }> {
  const { votes, nominees, policy, isValidToken, clock, refuse } = deps;
  return async (request, response) => {
    const { id } = request.params;
    const key = request.get(IDEMPOTENCY_KEY);
    if (!isId(id)) return refuse(response, 'unknown-game');
    if (key !== undefined && !isId(key)) return refuse(response, 'bad-key');
    const badBody = await checkBody(request, response);
    if (badBody) return refuse(response, badBody);

    const deadline = clock.elapsed() + VOTE_DEADLINE_MS;
    const inTime = <T>(promise: Promise<T>) =>
      withDeadline(promise, deadline - clock.elapsed(), clock);
    const token = request.get(APP_CHECK_HEADER);
    if (isValidToken && !(token && (await inTime(isValidToken(token))))) {
      return refuse(response, 'unverified');
    }

    // Both are asked for at the same time, so that they share one question to the store.
    const lookups = Promise.all([nominees.find(id), nominees.times()]);
    const [nominee, times] = await inTime(lookups);
    if (!nominee) return refuse(response, 'unknown-game');

    const at = clock.now();
    const closed = closedAt(at, times);
    if (closed) return refuse(response, closed);

    const ballotId = ballotIdOf(policy, request, response, key);
    const outcome = await votes.cast({ id: ballotId, game: id, at }, deadline);
    if (typeof outcome === 'object' && policy === 'one-per-visitor') {
      // The vote is refused in any case, even if the game's name cannot be read.
      const other = await inTime(nominees.find(outcome.votedFor)).catch(() => undefined);
      return refuse(response, 'already-voted', other && apiTexts.alreadyVotedFor(other.name));
    }
    const failure = failureOf(outcome);
    if (failure) return refuse(response, failure);
    tellCounted(response, nominee.name);
  };
}

/** Not `response.json`: it would spend a tenth of a vote's time on an ETag that nobody uses. */
function tellCounted(response: ServerResponse, name: string) {
  const body = { ok: true, mensaje: apiTexts.counted(name) } satisfies VoteResponse;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}

function closedAt(now: number, { opensAt, closesAt }: VoteTimes): FailureCode | undefined {
  if (closesAt !== undefined && now >= closesAt) return 'closed';
  return opensAt !== undefined && now < opensAt ? 'not-open-yet' : undefined;
}

/** The failure to send, or `undefined` if the vote counts. A replay was counted before. */
function failureOf(outcome: VoteOutcome): FailureCode | undefined {
  if (typeof outcome === 'object') return 'key-reused';
  switch (outcome) {
    case 'counted':
    case 'replayed':
      return undefined;
    case 'failed':
      return 'unavailable';
    default:
      return outcome;
  }
}
