import { randomUUID } from 'node:crypto';
import { isId } from '@goty/shared/ids';
import { VISITOR_COOKIE } from '@goty/shared/protocol';
import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import type { VotePolicy } from '../votes/vote-policy.ts';

const MAX_AGE_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * Returns the id of the ballot for a vote. Requests with the same ballot id are the same vote:
 * normally those with the key of one press, and under `one-per-visitor` all those of one visitor.
 *
 * A visitor without a cookie gets the key of the press as its id. So if the reply that sets the cookie
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
  if (policy === 'unlimited') return press;
  const visitor = readVisitor(request) ?? press;
  // The cookie is renewed with every vote, so that a visitor who keeps voting stays the same one.
  rememberVisitor(request, response, visitor);
  return visitor;
}

/** Gives a visitor without a valid cookie one. */
export function welcomeVisitor(request: Request<object>, response: Response) {
  if (readVisitor(request) === undefined) rememberVisitor(request, response, randomUUID());
}

function readVisitor(request: Request<object>): string | undefined {
  const id = parseCookie(request.get('Cookie') ?? '')[VISITOR_COOKIE];
  return id !== undefined && isId(id) ? id : undefined;
}

function rememberVisitor(request: Request<object>, response: Response, id: string) {
  response.cookie(VISITOR_COOKIE, id, {
    httpOnly: true,
    maxAge: MAX_AGE_MS,
    sameSite: 'lax',
    secure: request.secure,
  });
}
