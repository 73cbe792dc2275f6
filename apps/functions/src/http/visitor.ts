import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isId } from '@goty/shared/ids';
import { API_PATHS, API_PREFIX, VISITOR_COOKIE } from '@goty/shared/protocol';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { VotePolicy } from '../votes/vote-policy.ts';
import type { Client } from './client.ts';

const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;

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

/** Gives a visitor without a valid cookie one. */
export function welcomeVisitor(request: IncomingMessage, response: ServerResponse, client: Client) {
  if (readVisitor(request) === undefined) rememberVisitor(response, client, randomUUID());
}

function readVisitor({ headers }: IncomingMessage): string | undefined {
  const id = parseCookie(headers.cookie ?? '')[VISITOR_COOKIE];
  return id !== undefined && isId(id) ? id : undefined;
}

function rememberVisitor(response: ServerResponse, { isSecure }: Client, id: string) {
  const cookie = stringifySetCookie({
    name: VISITOR_COOKIE,
    value: id,
    maxAge: MAX_AGE_SECONDS,
    // The CDN keeps a copy for each cookie, and what everybody is told is at other paths.
    path: `${API_PREFIX}${API_PATHS.nominees}`,
    httpOnly: true,
    secure: isSecure,
    sameSite: 'lax',
  });
  response.setHeader('Set-Cookie', cookie);
}
