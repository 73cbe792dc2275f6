import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VoteResponse } from '@goty/shared/game';
import { isId } from '@goty/shared/ids';
import type { Nominee } from '@goty/shared/nominee';
import {
  APP_CHECK_HEADER,
  IDEMPOTENCY_KEY,
  phaseAt,
  VOTE_DEADLINE_MS,
} from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { GroupCommit, VoteOutcome } from '../votes/group-commit.ts';
import type { VotePolicy } from '../votes/vote-policy.ts';
import type { VoteView } from '../votes/vote-view.ts';
import { type Client, type ClientOf, isCrossSite, type TrustedPages } from './client.ts';
import { type FailureCode, FOR_ONE_VISITOR, type Refuse } from './failures.ts';
import { createVoteLimit } from './limits.ts';
import { checkBody } from './read-body.ts';
import { headWith } from './security-headers.ts';
import { ballotIdOf } from './visitor.ts';

const headOf = headWith({
  'Cache-Control': FOR_ONE_VISITOR,
  'Content-Type': 'application/json; charset=utf-8',
});

export interface VoteParts extends TrustedPages {
  readonly votes: GroupCommit;
  readonly view: VoteView;
  readonly policy: VotePolicy;
  /** Whether a token of App Check is valid; by default votes need none. */
  readonly isValidToken?: ((token: string) => Promise<boolean>) | undefined;
  /** How many votes an address may send in a minute; 0 for any number. */
  readonly votesPerMinute: number;
  readonly clientOf: ClientOf;
  readonly clock: Clock;
  readonly refuse: Refuse;
}

/**
 * `POST /goty/:id`: refuses votes of another site's page and beyond the limit, then what is malformed, and casts
 * all others.
 *
 * @returns a function that answers a vote for the game with that id. It rejects if the server is at fault.
 */
export function createCastVote(parts: VoteParts) {
  const { votes, view, policy, isValidToken, clientOf, clock, refuse } = parts;
  const isBeyondLimit = createVoteLimit(parts.votesPerMinute, clock);

  return async (request: IncomingMessage, response: ServerResponse, id: string) => {
    const client = clientOf(request);
    // This check comes first, so that a page of another site cannot use up its visitor's votes.
    if (isCrossSite(request, client, parts)) return refuse(response, 'cross-site');
    if (isBeyondLimit(client.network)) return refuse(response, 'too-many-votes');
    const key = headerOf(request, IDEMPOTENCY_KEY);
    if (!isId(id)) return refuse(response, 'unknown-game');
    if (key !== undefined && !isId(key)) return refuse(response, 'bad-key');
    const badBody = await checkBody(request, response);
    if (badBody) return refuse(response, badBody);

    const deadline = clock.elapsed() + VOTE_DEADLINE_MS;
    const inTime = <T>(promise: Promise<T>) =>
      withDeadline(promise, deadline - clock.elapsed(), clock);
    const token = headerOf(request, APP_CHECK_HEADER);
    if (isValidToken && !(token && (await inTime(isValidToken(token))))) {
      return refuse(response, 'unverified');
    }

    const known = view.peek(id) ?? (await inTime(view.find(id)));
    const nominee = known.byId.get(id);
    if (!nominee) return refuse(response, 'unknown-game');

    const at = clock.now();
    const phase = phaseAt(at, known.state.times);
    if (phase !== 'open') return refuse(response, phase === 'closed' ? 'closed' : 'not-open-yet');

    const ballotId = ballotIdOf(policy, request, response, client, key);
    const outcome = await votes.cast({ id: ballotId, game: id, at }, deadline);
    if (typeof outcome === 'object' && policy === 'one-per-visitor') {
      // The vote is refused in any case, even if the game's name cannot be read.
      const now = await inTime(view.find(outcome.votedFor)).catch(() => undefined);
      const other = now?.byId.get(outcome.votedFor);
      return refuse(
        response,
        'already-voted',
        other && { mensaje: apiTexts.alreadyVotedFor(other.name), votedFor: other.id },
      );
    }
    const failure = failureOf(outcome);
    if (failure) return refuse(response, failure);
    const isAgain = outcome === 'replayed' && policy === 'one-per-visitor';
    tellCounted(response, client, nominee, isAgain);
  };
}

/** The value of a header of our own. Node joins several into one. */
function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  return headers[name.toLowerCase()]?.toString();
}

function tellCounted(
  response: ServerResponse,
  { isSecure }: Client,
  { id, name }: Nominee,
  isAgain: boolean,
) {
  const mensaje = apiTexts.counted(name);
  const body: VoteResponse = { ok: true, mensaje, ...(isAgain && { votedFor: id }) };
  const json = JSON.stringify(body);
  const length = String(Buffer.byteLength(json));
  response.writeHead(200, [...headOf(isSecure), 'Content-Length', length]);
  response.end(json);
}

/** The failure to send, or `undefined` if the vote counts. A replay was counted before. */
function failureOf(outcome: VoteOutcome): FailureCode | undefined {
  if (typeof outcome === 'object') return 'key-reused';
  if (outcome === 'counted' || outcome === 'replayed') return undefined;
  return outcome === 'failed' ? 'unavailable' : outcome;
}
