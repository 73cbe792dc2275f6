import type { App as FirebaseApp } from 'firebase-admin/app';
import * as log from 'firebase-functions/logger';
import { defineInt, defineString } from 'firebase-functions/params';
import { onRequest } from 'firebase-functions/v2/https';
import { createCors, guardBodies } from './cloud/body-guard.ts';
import type { Cors } from './http/context.ts';
import { sendFailure } from './http/failures.ts';
import { readOrigins, readParameters } from './operator/config.ts';
import { systemClock as clock } from './runtime/clock.ts';
import type { VoteStore } from './votes/vote-store.ts';

// The cloud home: the API as the Function `api`. docs/firebase.md lists its parameters.

const DEFAULT_CONCURRENCY = 1_000;
const DEFAULT_MAX_INSTANCES = 3;

const region = defineString('REGION', { default: 'us-central1' });
const memory = defineInt('MEMORY_MIB', { default: 512 });
const concurrency = defineInt('CONCURRENCY', { default: DEFAULT_CONCURRENCY });
const minInstances = defineInt('MIN_INSTANCES', { default: 0 });
const maxInstances = defineInt('MAX_INSTANCES', { default: DEFAULT_MAX_INSTANCES });
defineString('VOTE_POLICY', { default: 'unlimited' });
// The parameter is a string, because an integer that is not set would be 0, which is no valid number of seconds.
defineString('SECONDS_BETWEEN_WRITES', { default: '1' });
// The parameter is a string, because it may be 'all'.
defineString('LISTENERS', { default: '1000' });
defineString('APP_CHECK', { default: 'off' });
defineString('CORS_ORIGINS', { default: '*' });

let corsOfOrigins: Cors | undefined;
/** The middleware is made on first use, because parameters have no value before run time. */
const cors: Cors = (request, response, next) => {
  corsOfOrigins ??= createCors(readOrigins(process.env.CORS_ORIGINS));
  corsOfOrigins(request, response, next);
};

let app: ReturnType<typeof openApp> | undefined;
let isReadyToEnd = false;

export const api = onRequest(
  { region, memory, concurrency, minInstances, maxInstances, invoker: 'public' },
  async (request, response) => {
    try {
      app ??= openApp();
      const { answer, store } = await app;
      if (!isReadyToEnd) settleAtEnd(store);
      answer(request, response);
    } catch (error) {
      app = undefined;
      log.error('The Function failed to start:', error);
      sendFailure(response, 'internal');
    }
  },
);

guardBodies(cors, clock);

// Cloud Run starts an instance because a request is already waiting for it, so the app is opened at once. A deploy also loads
// this module, but without parameters, so it must not open the app.
if (process.env.K_SERVICE !== undefined) {
  app = openApp();
  // The first request waits for the app and reports its error, which, uncaught, would end the process before that.
  app.catch(() => {});
}

async function openApp() {
  const { initializeApp } = await import('firebase-admin/app');
  const { getFirestore } = await import('firebase-admin/firestore');
  const { createCloudHome } = await import('./cloud/cloud-home.ts');
  const { createFirestoreStore } = await import('./firestore/store.ts');
  const firebase = initializeApp();
  const firestore = getFirestore(firebase);
  const { origins, policy, listeners, writeIntervalMs, needsToken } = readParameters(process.env);
  const instances = maxInstances.value() || DEFAULT_MAX_INSTANCES;
  const intervalMs = instances > 1 ? writeIntervalMs : 0;
  const store = createFirestoreStore(firestore, log, { clock, intervalMs });
  const answer = createCloudHome({
    store,
    policy,
    cors,
    concurrency: concurrency.value() || DEFAULT_CONCURRENCY,
    // Instances do not know of each other, so each grants an equal share of the listeners.
    listeners: Math.floor(listeners / instances),
    writeIntervalMs,
    verifyToken: needsToken ? await tokenVerifier(firebase) : undefined,
    // `*` lets every page read, but no page of another origin vote: for that, the operator has to name the origin.
    voteOrigins: origins === '*' ? [] : origins,
    clock,
    log,
  });
  return { answer, store };
}

/**
 * On SIGTERM, brings stored votes that are in no sum yet into the sums. Since the first request, the framework listens for
 * SIGTERM, too, and would end the process at once, so its listener is removed. Google gives the process 10 s.
 */
function settleAtEnd(store: VoteStore) {
  isReadyToEnd = true;
  process.removeAllListeners('SIGTERM').once('SIGTERM', async () => {
    await store.close().catch((error) => log.error('Failed to settle the sums:', error));
    process.exit();
  });
}

async function tokenVerifier(firebase: FirebaseApp) {
  const { getAppCheck } = await import('firebase-admin/app-check');
  return (token: string) => getAppCheck(firebase).verifyToken(token);
}
