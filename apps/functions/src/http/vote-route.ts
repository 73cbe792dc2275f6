import type { VoteResponse } from '@goty/shared/game';
import { isId } from '@goty/shared/ids';
import { IDEMPOTENCY_KEY, VOTE_DEADLINE_MS } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import type { RequestHandler } from 'express';
import type { Clock } from '../runtime/clock.ts';
import type { GroupCommit, VoteOutcome } from '../votes/group-commit.ts';
import type { Nominees } from '../votes/nominees.ts';
import type { VotePolicy } from '../votes/vote-policy.ts';
import type { VoteTimes } from '../votes/vote-store.ts';
import { type FailureCode, sendFailure } from './failures.ts';
import { checkBody } from './read-body.ts';
import { ballotIdOf } from './visitor.ts';

export interface VoteDeps {
  readonly votes: GroupCommit;
  readonly nominees: Nominees;
  readonly policy: VotePolicy;
  readonly clock: Clock;
}

/** `POST /goty/:id`: validates id, key and body before anything else, then casts the vote. */
export function voteRoute(deps: VoteDeps): RequestHandler<{ id: string }> {
  const { votes, nominees, policy, clock } = deps;
  return async (request, response) => {
    const { id } = request.params;
    const key = request.get(IDEMPOTENCY_KEY);
    if (!isId(id)) return sendFailure(response, 'unknown-game');
    if (key !== undefined && !isId(key)) return sendFailure(response, 'bad-key');
    const badBody = await checkBody(request, response);
    if (badBody) return sendFailure(response, badBody);

    const deadline = clock.elapsed() + VOTE_DEADLINE_MS;
    const nominee = await nominees.find(id);
    if (!nominee) return sendFailure(response, 'unknown-game');

    const at = clock.now();
    const closed = closedAt(at, await nominees.times());
    if (closed) return sendFailure(response, closed);

    const ballotId = ballotIdOf(policy, request, response, key);
    const outcome = await votes.cast({ id: ballotId, game: id, at }, deadline);
    const failure = failureOf(outcome, policy);
    if (failure) return sendFailure(response, failure);
    response.json({ ok: true, mensaje: apiTexts.counted(nominee.name) } satisfies VoteResponse);
  };
}

function closedAt(now: number, { opensAt, closesAt }: VoteTimes): FailureCode | undefined {
  if (closesAt !== undefined && now >= closesAt) return 'closed';
  return opensAt !== undefined && now < opensAt ? 'not-open-yet' : undefined;
}

/** The failure to send, or `undefined` if the vote counts. A replay was counted before. */
function failureOf(outcome: VoteOutcome, policy: VotePolicy): FailureCode | undefined {
  switch (outcome) {
    case 'counted':
    case 'replayed':
      return undefined;
    case 'refused':
      return policy === 'unlimited' ? 'key-reused' : 'already-voted';
    case 'failed':
      return 'unavailable';
    default:
      return outcome;
  }
}
