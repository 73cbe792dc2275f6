import type { VoteTimes } from './vote-times.ts';

/** The path of the API on the page's own origin. */
export const API_PREFIX = '/api';

/** The query parameter with a revision of the nominee list. */
export const REVISION_QUERY = 'v';

/** The paths of the API, relative to its prefix. */
export const API_PATHS = {
  nominees: '/goty',
  /** The nominees of a certain revision. The address gets past a CDN's copy of an older list. */
  nomineesOf: (revision: string) => `/goty?${REVISION_QUERY}=${revision}`,
  vote: (gameId: string) => `/goty/${gameId}`,
  live: '/goty/live',
  standings: '/standings',
  lease: '/lease',
  code: '/code',
  health: '/health',
} as const;

/** The path of a live stream whose later events have only those standings that have changed (SPEC L1). */
export const LIVE_CHANGES_PATH = '/goty/live?changes';

/** A press counts once however often it is sent, because its key stays the same (SPEC V3). */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** The request header with a token of Firebase App Check. Its name is Firebase's. */
export const APP_CHECK_HEADER = 'X-Firebase-AppCheck';

/** The statuses that count or refuse a press for good. */
export type DecidingStatus = 200 | 400 | 403 | 404 | 409 | 422;

/**
 * The statuses in `DecidingStatus` refuse a press for good. After 503, the page sends the press again. After any other status,
 * the press is undecided, because an earlier attempt may have counted. Whoever adds a status decides of which kind it is.
 */
export type FailureStatus =
  | Exclude<DecidingStatus, 200>
  | (401 | 405 | 408 | 412 | 413 | 415 | 416 | 429 | 431 | 500 | 503);

/** The response header with the id of the vote as a whole in which a visitor's vote is counted: `voteId` of the status. */
export const VOTE_ID_HEADER = 'Vote-Id';

/** With one vote for each visitor: the tag of the voter as whom the server has taken a press. See `EarlierVote`. */
export const VOTER_TAG_HEADER = 'Voter-Tag';

/** Firebase Hosting forwards no cookie of any other name. */
export const VISITOR_COOKIE = '__session';

/**
 * The name of the visitor's cookie over plain HTTP. It is another name, because over plain HTTP a cookie that came over HTTPS
 * cannot be replaced. Hosting, which forwards VISITOR_COOKIE alone, has HTTPS only.
 */
export const PLAIN_VISITOR_COOKIE = 'goty-visitor';

/** How long a vote may take before the server responds with 503 (SPEC G5). */
export const VOTE_DEADLINE_MS = 8_000;

/** The timeout of the page's requests: long enough to receive the server's own 503. */
export const PAGE_TIMEOUT_MS = VOTE_DEADLINE_MS + 2_000;

/** The event of a stream of changes with those standings alone that have changed since the event before (SPEC L1). */
export const CHANGE_EVENT = 'change';

/** The keep-alive event of a live stream. Its data is the number of viewers (SPEC L3). */
export const PING_EVENT = 'ping';

/** The interval between pings. Proxies close connections that are idle for 30 to 60 s, so pings come more often. */
export const PING_INTERVAL_MS = 15_000;

/** How long a page may listen to Firestore before it asks for another lease. */
export const LEASE_MS = 10 * 60_000;

/**
 * A change of times or nominees must reach a visible page within 10 s (SPEC N5). In the cloud home it takes at most 9.5 s: what
 * an instance knows is up to 3.5 s old, the CDN keeps the answer for 2 s, the page asks 3 s later at most, and an instance that
 * has not noticed the change takes up to 1 s to find the new list.
 */
export const POLL_MS = 3_000;

/**
 * How long after the close votes from before the close may be on their way into the sums. Only after that is a result final (SPEC
 * W146). Standalone, a commit takes milliseconds, and every server knows within half a second of a close that a command has set.
 */
export const SETTLE_MS = { standalone: 2_000, cloud: VOTE_DEADLINE_MS } as const;

/** How long the CDN keeps the standings. */
export const CDN_AGE_MS = 2_000;

/**
 * By so long after a close, all screens have named the winner, and nothing else does so sooner. In the cloud, where that takes
 * longest, the result is final and out of the CDN after 10 s, and then the stage tells the places below the first (SPEC W145).
 */
export const RESULT_TOLD_MS = 16_000;

/** Standings that are older than this are not shown as live. */
export const MAX_STANDINGS_AGE_MS = 10_000;

/** The Firestore collection of the games. Visitors may read it (firestore.rules). */
export const GAMES_COLLECTION = 'goty';

/** The language of all texts, and of their numbers and times. */
export const LANGUAGE = 'es';

/** What the HTML calls its site (`og:site_name`) while the operator has not named the event. */
export const SITE_NAME = 'GOTY';

/** The default address of the Firestore emulator, repeated in firebase.json and the CSP there. */
export const FIRESTORE_EMULATOR = '127.0.0.1:8080';

/** The name of the operator's desk in an address and in the browser's storage. All else about the desk is in desk-protocol.ts. */
export const DESK_NAME = 'mesa';

/** Stands behind the number sign, with a voting code, so that no server sees the code. All else is in voting-code.ts. */
export const CODE_NAME = 'codigo';

/** Returns whether voting is open at a time. All times are in milliseconds since the Unix epoch. */
export function phaseAt(
  now: number,
  { opensAt = -Infinity, closesAt = Infinity }: Partial<VoteTimes>,
): 'before' | 'open' | 'closed' {
  if (now >= closesAt) return 'closed';
  return now < opensAt ? 'before' : 'open';
}

/** 'frozen': votes that count are not shown, even after the close, until the operator shows the result (or see `isRevealDue`). */
export function resultPhaseAt(
  now: number,
  { frozenAt = Infinity, ...times }: Partial<VoteTimes>,
): 'before' | 'open' | 'frozen' | 'closed' {
  const phase = phaseAt(now, times);
  return phase !== 'before' && now >= frozenAt ? 'frozen' : phase;
}

/** Whether a freeze ends by itself now: it was made to end at the close, and the close has come. */
export function isRevealDue(
  now: number,
  { closesAt = Infinity, frozenAt, endsAtClose }: VoteTimes,
): boolean {
  return frozenAt !== undefined && endsAtClose && closesAt <= now;
}

const ID = /^(?!__.*__$)[A-Za-z0-9_-]{1,64}$/;

/** Firestore reserves `__…__` (SPEC B1). An id that is not valid is rejected before it reaches a store. */
export function isId(value: string): boolean {
  return ID.test(value);
}

/** Whether a host name of a URL always means the machine itself, so that no other machine can open the URL. */
export function isLoopback(hostname: string): boolean {
  return /(^|\.)localhost$|^(127|0)(\.\d+){3}$|^\[::1?]$/.test(hostname);
}
