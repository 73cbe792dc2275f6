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

/** How long a cookie lasts, and its visitor stays the same one, in seconds. */
const COOKIE_MAX_AGE = 365 * 24 * 60 * 60;
/** The cookies of other programs at this host are no visitors. */
const OWN_COOKIE = /^goty-([0-9a-f]{32})$/;
const VISITOR_DIGITS = 32;

/** A request, and what says who sent it. */
interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: Client;
  readonly state: Pick<StoreState, 'codeKey' | 'voteId'>;
  /** The name of the visitor's cookie over plain HTTP. */
  readonly plainCookie: string;
}

interface Voter {
  /** All votes with the same id are one. */
  readonly ballotId: string;
  /** If a voter has one vote: by this tag, the voter's own page knows the voter from others. */
  readonly tag?: string;
}

/** All that depends on how many votes of a visitor count: no other code asks for the name of a policy. */
interface Policy {
  /**
   * Returns who votes, or why nobody does.
   *
   * @param press the key of the press
   * @param code what the body has as the code, not checked yet
   */
  readonly voterOf: (visit: Visit, press: string, code: unknown) => Voter | FailureCode;
  /** Called for each visitor who asks for the nominee list: no cache may keep the list then. */
  readonly greet?: (visit: Visit) => void;
  /** Whether a voter has one vote, which can be changed. Pages are told so, and voters when it was cast (SPEC V14). */
  readonly onePerVisitor: boolean;
  readonly needsCode: boolean;
  /** Why a vote is refused if its ballot was counted for another game. */
  readonly otherGame: FailureCode;
  /** If a voter has one vote: the sentence for `otherGame`, with that game's name. */
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
    // Before the first vote, because the reply to that vote may be lost together with its cookie.
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

/** Returns who has the code. A browser keeps it for its visitor and sends it with each vote, so there is no cookie. */
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
 * press tells who the visitor is: it is the same for all votes of a page (SPEC V6).
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
  // The cookies of 1.0.0 were ids.
  if (isUnnamed(visit)) return isId(value) ? value : undefined;
  return OWN_COOKIE.exec(value)?.[1];
}

function rememberVisitor(visit: Visit, visitor: string) {
  const { response, client } = visit;
  const cookie = stringifySetCookie({
    name: cookieNameOf(visit),
    value: isUnnamed(visit) ? visitor : `goty-${visitor}`,
    maxAge: COOKIE_MAX_AGE,
    // The CDN keeps a copy for each cookie, so none is sent to the paths of what everybody is told.
    path: `${API_PREFIX}${API_PATHS.nominees}`,
    httpOnly: true,
    secure: client.isSecure,
    sameSite: 'lax',
  });
  response.setHeader('Set-Cookie', cookie);
}

/** A page over plain HTTP neither reads nor replaces a cookie that came over HTTPS, so it needs one of its own. */
function cookieNameOf(visit: Visit): string {
  return visit.client.isSecure || isUnnamed(visit) ? VISITOR_COOKIE : visit.plainCookie;
}

function isUnnamed({ state }: Visit): boolean {
  return state.voteId === UNNAMED_VOTE;
}
