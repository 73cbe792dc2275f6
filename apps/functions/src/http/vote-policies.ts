import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_PATHS, API_PREFIX, isId, VISITOR_COOKIE } from '@goty/shared/protocol';
import { parseCookie, stringifySetCookie } from 'cookie';
import { ballotIdOf, ballotIdOfPress, UNNAMED_VOTE, type VotePolicy } from '../votes/vote-store.ts';
import type { Client } from './client.ts';
import type { FailureCode } from './failures.ts';

/** How long a visitor stays the same one, in seconds. */
const COOKIE_MAX_AGE = 365 * 24 * 60 * 60;
/** The cookies of other programs at this host are no visitors. */
const OWN_COOKIE = /^goty-([0-9a-f]{32})$/;
const VISITOR_DIGITS = 32;

/** A request, and what says who sent it. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
  readonly voteId: string;
  /** The name of the visitor's cookie over plain HTTP. */
  readonly plainCookie: string;
}

/** All that depends on how many votes of a visitor count: nobody else asks for the name of a policy. */
interface Policy {
  /**
   * Returns what the voter holds: all votes with the same are one.
   *
   * @param press the key of the press
   */
  readonly voterOf: (visit: Visit, press: string) => string;
  /** Returns the id of the ballot of whoever holds that. */
  readonly ballotIdOf: (voteId: string, voter: string) => string;
  /** Does what the nominee list brings each visitor. No cache may keep the list then. */
  readonly greet?: (visit: Visit) => void;
  /** Whether a visitor has one vote, which can be changed. Pages are told so, and visitors when it was cast (SPEC V14). */
  readonly onePerVisitor: boolean;
  /** Why a vote is refused if its ballot was counted for another game. */
  readonly otherGame: FailureCode;
}

export const POLICIES: Readonly<Record<VotePolicy, Policy>> = {
  unlimited: {
    voterOf: (_visit, press) => press,
    ballotIdOf: ballotIdOfPress,
    onePerVisitor: false,
    otherGame: 'key-reused',
  },
  'one-per-visitor': {
    voterOf: renewVisitor,
    ballotIdOf,
    // Before the first vote, because the reply to that vote may be lost together with its cookie.
    greet: welcomeVisitor,
    onePerVisitor: true,
    otherGame: 'already-voted',
  },
};

function welcomeVisitor(visit: Visit) {
  if (readVisitor(visit) !== undefined) return;
  const isUnnamed = visit.voteId === UNNAMED_VOTE;
  rememberVisitor(
    visit,
    isUnnamed ? randomUUID() : randomBytes(VISITOR_DIGITS / 2).toString('hex'),
  );
}

/**
 * Returns the visitor, and renews the cookie, so that one who keeps voting stays the same. Who has no cookie is whoever has the
 * key of the press: that is the same for all votes of a page (SPEC V6).
 */
function renewVisitor(visit: Visit, press: string): string {
  const isUnnamed = visit.voteId === UNNAMED_VOTE;
  const unknown = isUnnamed ? press : hash('sha256', press).slice(0, VISITOR_DIGITS);
  const visitor = readVisitor(visit) ?? unknown;
  rememberVisitor(visit, visitor);
  return visitor;
}

function readVisitor(visit: Visit): string | undefined {
  const value = parseCookie(visit.request.headers.cookie ?? '')[cookieNameOf(visit)] ?? '';
  // The cookies of 1.0.0 were ids.
  if (visit.voteId === UNNAMED_VOTE) return isId(value) ? value : undefined;
  return OWN_COOKIE.exec(value)?.[1];
}

function rememberVisitor(visit: Visit, visitor: string) {
  const { response, client, voteId } = visit;
  const cookie = stringifySetCookie({
    name: cookieNameOf(visit),
    value: voteId === UNNAMED_VOTE ? visitor : `goty-${visitor}`,
    maxAge: COOKIE_MAX_AGE,
    // The CDN keeps a copy for each cookie, and what everybody is told is at other paths.
    path: `${API_PREFIX}${API_PATHS.nominees}`,
    httpOnly: true,
    secure: client.isSecure,
    sameSite: 'lax',
  });
  response.setHeader('Set-Cookie', cookie);
}

/** A page over plain HTTP neither reads nor replaces a cookie that came over HTTPS, so it needs one of its own. */
function cookieNameOf({ client, plainCookie, voteId }: Visit): string {
  return client.isSecure || voteId === UNNAMED_VOTE ? VISITOR_COOKIE : plainCookie;
}
