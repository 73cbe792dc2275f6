import { randomUUID } from 'node:crypto';
import { isId } from '@goty/shared/ids';
import { VISITOR_COOKIE } from '@goty/shared/protocol';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { VotePolicy } from '../votes/vote-policy.ts';

const MAX_AGE_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * The id of the ballot for a vote. Requests with the same ballot id are the same vote: those with
 * the key of one press or, under `one-per-visitor`, all those of one visitor.
 *
 * A visitor without a cookie gets the key of the press as its id: if the reply that sets the cookie
 * is lost, a retry of the press still counts once.
 *
 * @param key the press's Idempotency-Key, already validated; without one, the vote gets a random id
 */
export function ballotIdOf(
  policy: VotePolicy,
  request: Request<object>,
  response: Response,
  key: string | undefined,
): string {
  const press = key ?? randomUUID();
  return policy === 'unlimited' ? press : identifyVisitor(request, response, press);
}

/**
 * The visitor's id from the cookie. If there is no valid one, the response sets it.
 *
 * @param newId the id of a visitor without a cookie
 */
export function identifyVisitor(
  request: Request<object>,
  response: Response,
  newId: string = randomUUID(),
): string {
  const known = parseCookie(request.get('Cookie') ?? '')[VISITOR_COOKIE];
  if (known !== undefined && isId(known)) return known;
  response.cookie(VISITOR_COOKIE, newId, {
    httpOnly: true,
    maxAge: MAX_AGE_MS,
    sameSite: 'lax',
    secure: request.secure,
  });
  return newId;
}
