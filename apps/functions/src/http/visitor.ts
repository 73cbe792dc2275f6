import { randomUUID } from 'node:crypto';
import { isId } from '@goty/shared/ids';
import { VISITOR_COOKIE } from '@goty/shared/protocol';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { VotePolicy } from '../votes/vote-policy.ts';

const MAX_AGE_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * The id under which a vote is stored, and so what counts as the same vote: the key of the press or,
 * with one vote for each visitor, the visitor.
 *
 * A visitor who comes without a cookie becomes the key of the press: if the answer with the cookie is
 * lost, sending the same press again still counts once.
 *
 * @param key the press's Idempotency-Key, already checked
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
 * The visitor's id from the cookie. A new visitor gets a cookie with this answer.
 *
 * @param newId the id of a visitor who has none
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
    // A proxy that terminates TLS says so. A client that lies about it gets a cookie it cannot use.
    secure: request.secure || request.get('X-Forwarded-Proto') === 'https',
  });
  return newId;
}
