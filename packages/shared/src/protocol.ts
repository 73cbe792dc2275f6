// What the page and the server must agree on. Each of these facts stands here and nowhere else.

/** Where the API is on the page's own origin. */
export const API_PREFIX = '/api';

/** The paths of the API, below its prefix. */
export const API_PATHS = {
  nominees: '/goty',
  vote: (gameId: string) => `/goty/${gameId}`,
  live: '/goty/live',
  health: '/health',
} as const;

/** The request header with the key of a press: the same key never counts twice (SPEC V3). */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** The cookie with the visitor's id. Firebase Hosting forwards no cookie of another name. */
export const VISITOR_COOKIE = '__session';

/** How long the server works on a vote before it answers 503. */
export const VOTE_DEADLINE_MS = 8_000;

/** How long the page waits for an answer: the server's own verdict has to have time to arrive. */
export const PAGE_PATIENCE_MS = VOTE_DEADLINE_MS + 2_000;

/** The event that keeps a quiet live stream alive. */
export const PING_EVENT = 'ping';

/** How often it is sent: proxies close connections that are idle for 30 to 60 s. */
export const PING_INTERVAL_MS = 15_000;

/** A stream that has been silent this long has missed two pings: it is dead. */
export const MAX_SILENCE_MS = 2.5 * PING_INTERVAL_MS;

/** The collection with the games, in Firestore. Visitors may read it (firestore.rules). */
export const GAMES_COLLECTION = 'goty';

/** Where Firestore's emulator listens by default; firebase.json and its CSP say the same. */
export const FIRESTORE_EMULATOR = '127.0.0.1:8080';

/** How many covers are wanted before everything else: a row of cards on a wide screen. */
export const FIRST_COVERS = 4;
