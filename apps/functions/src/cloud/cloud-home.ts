import { secondsToTurn } from '@goty/shared/nominee';
import { API_PREFIX, CDN_AGE_MS, SETTLE_MS, VISITOR_COOKIE } from '@goty/shared/protocol';
import type { HomeOptions, NodeHandler } from '../http/context.ts';
import { createHome } from '../http/home.ts';
import { UnavailableError } from '../votes/vote-store.ts';

/** The share of an instance's requests that may be votes. The rest is for list, status and health. */
const VOTE_SHARE = 0.8;
/** firebase-admin's message if the keys to verify a token could not be fetched. Its code is still that of a bad token. */
const KEYS_FAULT = 'Error fetching Json Web Keys';

export interface CloudHomeOptions
  extends Required<
    Pick<HomeOptions, 'clock' | 'cors' | 'log' | 'policy' | 'store' | 'voteOrigins'>
  > {
  readonly concurrency: number;
  /** In milliseconds. Firestore sustains one write a second to a document, and each write is a billed read for every viewer. */
  readonly writeIntervalMs: number;
  /** How many pages this instance lets listen to Firestore at once. */
  readonly listeners: number;
  /** Verifies a token of App Check; `undefined` if votes need none. */
  readonly verifyToken?: ((token: string) => Promise<unknown>) | undefined;
}

/** Returns the app of the cloud home, which is the API only. Hosting serves the page, and Firestore the live results. */
export function createCloudHome(options: CloudHomeOptions): NodeHandler {
  const { verifyToken } = options;
  const isValidToken = verifyToken && createTokenCheck(verifyToken);
  return createHome({ ...options, ...limitsOf(options), isValidToken }).app;
}

function limitsOf({ concurrency, writeIntervalMs }: CloudHomeOptions) {
  const maxWaiting = Math.ceil(concurrency * VOTE_SHARE);
  return {
    // Requests come through Hosting, which keeps the prefix, or to the Function's own address, where paths have none.
    prefixes: [API_PREFIX, '/'],
    // The only proxy is Google's front end, and nothing else can reach an instance.
    trustedProxies: 1,
    // Votes are not limited here, because instances share no memory, and the visitor's address behind Hosting is uncertain.
    votesPerMinute: 0,
    // Only the emulator of Hosting has plain HTTP. Like Hosting, it forwards no cookie of another name.
    plainCookie: VISITOR_COOKIE,
    maxAges: {
      maxAgeMs: 10_000,
      // A lone page asks every 3 s and a little (see POLL_MS), so each of its requests causes at most one read.
      statusMaxAgeMs: 3_500,
      sumsMaxAgeMs: 4_500,
      // While an instance counts votes itself, pages learn of them sooner.
      countedMaxAgeMs: 2_000,
      // After this time, every instance has committed or given up its votes.
      settleMs: SETTLE_MS.cloud,
      // For votes with ids that are not on its list, an instance reads at most one document in this time.
      minAskIntervalMs: 1_000,
    },
    // Hidden votes cost a read for each instance that counts, so the desk reads them less often than the sums.
    desk: { hiddenMaxAgeMs: 10_000, noticeMs: 30_000 },
    // All votes that wait go into one commit: Firestore limits a write to 10 MiB, not in the number of documents, and a ballot
    // takes about 200 bytes (https://firebase.google.com/docs/firestore/quotas).
    commits: { maxGroup: maxWaiting, maxWaiting, minIntervalMs: writeIntervalMs },
    caching: {
      // Hosting's CDN keeps the list until the next turn of its order. Browsers revalidate it.
      list: (now: number) => `public, max-age=0, s-maxage=${secondsToTurn(now)}`,
      // The CDN asks an instance at most once in 2 s, however many pages ask for status and standings.
      shortLived: `public, max-age=0, s-maxage=${CDN_AGE_MS / 1_000}`,
    },
  };
}

/** The returned function says whether a token is valid, and rejects if nobody can tell now. `verify` rejects an invalid one. */
function createTokenCheck(verify: (token: string) => Promise<unknown>) {
  return async (token: string): Promise<boolean> => {
    try {
      await verify(token);
      return true;
    } catch (error) {
      if (!(error instanceof Error && error.message.includes(KEYS_FAULT))) return false;
      throw new UnavailableError(error.message, { cause: error });
    }
  };
}
