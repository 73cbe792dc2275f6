import { hash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_PATHS, API_PREFIX, isId, VISITOR_COOKIE } from '@goty/shared/protocol';
import { apiTexts } from '@goty/shared/texts';
import { readVotingCode } from '@goty/shared/voting-code';
import { parseCookie, stringifySetCookie } from 'cookie';
import { ballotIdOfCode, statusOfCode } from '../acts/voting-codes.ts';
import { ballotIdOf, ballotIdOfPress, UNNAMED_VOTE, voterTagOf } from '../votes/ballot.ts';
import type { StoreState, VotePolicy } from '../votes/vote-store.ts';
import type { Client } from './client.ts';
import type { FailureCode } from './failures.ts';

/** How long a visitor's cookie lasts, in seconds. Each vote renews it. Without a cookie, a browser is another visitor. */
const COOKIE_MAX_AGE = 365 * 24 * 60 * 60;
/** What this app writes into a cookie. A cookie of another program at this host has another form, and identifies no visitor. */
const OWN_COOKIE = /^goty-([0-9a-f]{32})$/;
const VISITOR_DIGITS = 32;

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
  readonly state: Pick<StoreState, 'codeKey' | 'voteId'>;
  readonly plainCookie: string;
}

interface Voter {
  /** Votes with the same id count as one. */
  readonly ballotId: string;
  /** If each voter has one vote: a tag by which a page sees whether the server knows its visitor as the same voter as before. */
  readonly tag?: string;
}

interface Policy {
  /** Returns who votes, or why not. `press` is the key of the press, `code` the field of the body, not checked yet. */
  readonly voterOf: (visit: Visit, press: string, code: unknown) => Voter | FailureCode;
  /** Called for each visitor who asks for the nominee list. Where a policy has this function, no cache may keep the list. */
  readonly greet?: (visit: Visit) => void;
  /** Whether each voter has one vote, which can be changed, and learns when it was cast (SPEC V14). */
  readonly onePerVisitor: boolean;
  readonly needsCode: boolean;
  /** Why a vote is refused if the ballot with its id was counted for another game. */
  readonly otherGame: FailureCode;
  /** Returns the sentence for `otherGame`, with the name of the game that the ballot was counted for. */
  readonly otherGameText?: (name: string) => string;
}

export const POLICIES: Readonly<Record<VotePolicy, Policy>> = {
  unlimited: {
    voterOf: ({ state }, press) => ({ ballotId: ballotIdOfPress(state.voteId, press) }),
    onePerVisitor: false,
    needsCode: false,
    otherGame: 'key-reused',
  },
  'one-per-visitor': {
    voterOf: renewVisitor,
    // The cookie is set before the first vote, because the reply to that vote may be lost together with its cookie.
    greet: welcomeVisitor,
    onePerVisitor: true,
    needsCode: false,
    otherGame: 'already-voted',
    otherGameText: apiTexts.alreadyVotedFor,
  },
  'one-per-code': {
    voterOf: readVoterOfCode,
    onePerVisitor: true,
    needsCode: true,
    otherGame: 'code-used',
    otherGameText: apiTexts.codeUsedFor,
  },
};

/** Returns the voter of a code. The browser keeps the code and sends it with each vote, so there is no cookie. */
function readVoterOfCode(
  { state: { codeKey, voteId } }: Visit,
  _press: string,
  sent: unknown,
): Voter | FailureCode {
  if (sent === undefined) return 'code-needed';
  const code = typeof sent === 'string' ? readVotingCode(sent) : undefined;
  if (!codeKey || code === undefined) return 'code-wrong';
  switch (statusOfCode(codeKey, code)) {
    case 'wrong':
      return 'code-wrong';
    case 'revoked':
      return 'code-ended';
    case 'valid':
      return { ballotId: ballotIdOfCode(codeKey, voteId, code), tag: voterTagOf(voteId, code) };
  }
}

function welcomeVisitor(visit: Visit) {
  if (readVisitor(visit) !== undefined) return;
  rememberVisitor(
    visit,
    isUnnamed(visit) ? randomUUID() : randomBytes(VISITOR_DIGITS / 2).toString('hex'),
  );
}

/**
 * Returns the visitor, and renews the cookie, so that a visitor who keeps voting stays the same. Without a cookie, the key of the
 * press says who the visitor is, because a page sends the same key with all its votes (SPEC V6).
 */
function renewVisitor(visit: Visit, press: string): Voter {
  const { voteId } = visit.state;
  const unknown = isUnnamed(visit) ? press : hash('sha256', press).slice(0, VISITOR_DIGITS);
  const visitor = readVisitor(visit) ?? unknown;
  rememberVisitor(visit, visitor);
  return { ballotId: ballotIdOf(voteId, visitor), tag: voterTagOf(voteId, visitor) };
}

function readVisitor(visit: Visit): string | undefined {
  const value = parseCookie(visit.request.headers.cookie ?? '')[cookieNameOf(visit)] ?? '';
  // A vote without an id was begun by version 1.0.0, whose cookies were ids without `goty-` in front.
  if (isUnnamed(visit)) return isId(value) ? value : undefined;
  return OWN_COOKIE.exec(value)?.[1];
}

function rememberVisitor(visit: Visit, visitor: string) {
  const { response, client } = visit;
  const cookie = stringifySetCookie({
    name: cookieNameOf(visit),
    value: isUnnamed(visit) ? visitor : `goty-${visitor}`,
    maxAge: COOKIE_MAX_AGE,
    // By the path, browsers send no cookie for other responses, of which the CDN would keep a copy for each cookie.
    path: `${API_PREFIX}${API_PATHS.nominees}`,
    httpOnly: true,
    secure: client.isSecure,
    sameSite: 'lax',
  });
  response.setHeader('Set-Cookie', cookie);
}

/**
 * Over plain HTTP, a browser neither sends nor replaces a cookie that came over HTTPS, so a page without TLS needs a cookie of
 * another name. Version 1.0.0 had only one name, so in a vote that it has begun that name stays.
 */
function cookieNameOf(visit: Visit): string {
  return visit.client.isSecure || isUnnamed(visit) ? VISITOR_COOKIE : visit.plainCookie;
}

function isUnnamed({ state }: Visit): boolean {
  return state.voteId === UNNAMED_VOTE;
}
