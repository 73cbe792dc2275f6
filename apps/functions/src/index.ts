import type { Express } from 'express';
import * as log from 'firebase-functions/logger';
import { defineInt, defineString } from 'firebase-functions/params';
import { onRequest } from 'firebase-functions/v2/https';
import { guardBodies } from './cloud/body-guard.ts';
import { type Cors, createCors } from './http/cors.ts';
import { sendFailure } from './http/failures.ts';
import { readOrigins, readPolicy } from './operator/config.ts';
import { systemClock as clock } from './runtime/clock.ts';

// The cloud home: the API as the Function `api`. README.md lists its parameters.

const region = defineString('REGION', { default: 'us-central1' });
const memory = defineInt('MEMORY_MIB', { default: 512 });
const concurrency = defineInt('CONCURRENCY', { default: 1_000 });
const maxInstances = defineInt('MAX_INSTANCES', { default: 3 });
const policy = defineString('VOTE_POLICY', { default: 'unlimited' });
const origins = defineString('CORS_ORIGINS', { default: '*' });

let corsOfOrigins: Cors | undefined;
/** Built on first use: parameters have no value before run time. */
const cors: Cors = (request, response, next) => {
  corsOfOrigins ??= createCors(readOrigins(origins.value()));
  corsOfOrigins(request, response, next);
};

let app: Promise<Express> | undefined;

export const api = onRequest(
  { region, memory, concurrency, maxInstances, invoker: 'public' },
  async (request, response) => {
    try {
      app ??= openApp();
      (await app)(request, response);
    } catch (error) {
      app = undefined;
      log.error('The Function failed to start:', error);
      sendFailure(response, 'internal');
    }
  },
);

guardBodies(cors);

/** Called by the first request, not when the module loads: every deploy loads it too. */
async function openApp(): Promise<Express> {
  const { initializeApp } = await import('firebase-admin/app');
  const { getFirestore } = await import('firebase-admin/firestore');
  const { createCloudHome } = await import('./cloud/home.ts');
  const { createFirestoreStore } = await import('./cloud/firestore-store.ts');
  const firestore = getFirestore(initializeApp());
  const configured = readOrigins(origins.value());
  return createCloudHome({
    store: createFirestoreStore({ firestore, log }),
    policy: readPolicy(policy.value()),
    cors,
    // `*` lets every page read. Votes need an origin that the operator has named.
    voteOrigins: configured === '*' ? [] : configured,
    clock,
    log,
  });
}
