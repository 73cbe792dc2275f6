import type { VoteResponse } from '@goty/shared/game';
import { isId } from '@goty/shared/ids';
import { answers } from '@goty/shared/texts';
import type { Request, RequestHandler } from 'express';
import type { Clock } from '../runtime/clock.ts';
import { identifyBallot, type VotePolicy } from '../votes/ballot-policy.ts';
import type { GroupCommit, VoteOutcome } from '../votes/group-commit.ts';
import type { Nominees } from '../votes/nominees.ts';
import { type FailureCode, sendFailure } from './failures.ts';
import { requireJsonBody } from './read-body.ts';
import { readVisitor, rememberVisitor } from './visitor.ts';

export interface VoteDeps {
  readonly votes: GroupCommit;
  readonly nominees: Nominees;
  readonly policy: VotePolicy;
  readonly clock: Clock;
}

/**
 * `POST /goty/:id`: checks, then casts the vote, then answers. The body says nothing; it has
 * to be a JSON object all the same, so that what is not a vote is not taken for one.
 */
export function voteRoute(deps: VoteDeps): RequestHandler<{ id: string }>[] {
  return [checkIdAndKey, requireJsonBody, castVote(deps)];
}

const checkIdAndKey: RequestHandler<{ id: string }> = (request, response, next) => {
  const key = idempotencyKey(request);
  if (!isId(request.params.id)) sendFailure(response, 'unknown-game');
  else if (key !== undefined && !isId(key)) sendFailure(response, 'bad-key');
  else next();
};

function castVote({ votes, nominees, policy, clock }: VoteDeps): RequestHandler<{ id: string }> {
  return async (request, response) => {
    const startedAt = clock.elapsed();
    const nominee = await nominees.find(request.params.id);
    if (!nominee) {
      sendFailure(response, 'unknown-game');
      return;
    }
    const { ballotId, visitorId } = identifyBallot(
      policy,
      idempotencyKey(request),
      readVisitor(request),
    );
    const ballot = { id: ballotId, game: nominee.id, at: clock.now() };
    const outcome = await votes.cast(ballot, clock.elapsed() - startedAt);
    if (visitorId) rememberVisitor(request, response, visitorId);
    const failure = failureOf(outcome, policy);
    if (failure) sendFailure(response, failure);
    else response.json(counted(nominee.name));
  };
}

function idempotencyKey(request: Request<{ id: string }>) {
  return request.get('Idempotency-Key');
}

/** What to say where the vote is not counted; a replay of a counted vote is counted. */
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

function counted(name: string): VoteResponse {
  return { ok: true, mensaje: answers.counted(name) };
}
