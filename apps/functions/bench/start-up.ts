import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { Firestore } from 'firebase-admin/firestore';
import { findFirestore } from '../emulators/firestore-emulator.ts';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { nomineesOf } from './processes/programs.ts';
import { median } from './rounds.ts';

// `pnpm bench:start-up [FOLDER]`: how long the built Function of a checkout takes to load, compared with
// an empty one, and until it has counted its first vote. Medians of interleaved rounds.

const ROUNDS = 15;
const FIRST_VOTES = 9;
const EMULATOR_PORT = 8_491;
const PORT = 8_492;
const PROJECT = 'demo-start-up';
const ROOT = resolve(process.argv[2] ?? join(import.meta.dirname, '../../..'), 'apps/functions');
const FRAMEWORK = createRequire(import.meta.url).resolve('@google-cloud/functions-framework');

console.table(compareLoads());
console.table(await measureFirstVotes());

function compareLoads() {
  const ours = join(ROOT, 'dist/index.js');
  const bare = join(ROOT, 'dist/bare.js');
  writeFileSync(
    bare,
    "import { onRequest } from 'firebase-functions/v2/https';\nexport const api = onRequest(() => {});\n",
  );
  const [oursMs, bareMs]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      oursMs.push(load(ours));
      bareMs.push(load(bare));
    }
  } finally {
    rmSync(bare);
  }
  return {
    'loading the Function, ms': median(oursMs).toFixed(0),
    'loading an empty one, ms': median(bareMs).toFixed(0),
    ratio: (median(oursMs) / median(bareMs)).toFixed(2),
  };
}

/** The time to import the module in a new process, in milliseconds. */
function load(module: string): number {
  const code = `const start = performance.now();
    await import(${JSON.stringify(pathToFileURL(module).href)});
    console.log(performance.now() - start);`;
  const args = ['--input-type=module', '--eval', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** With the Firestore emulator, in new processes under the Functions framework. */
async function measureFirstVotes() {
  const source = findFirestore();
  if (source.state === 'missing') throw new Error(source.advice);
  const emulator = source.state === 'given' ? undefined : source.start(EMULATOR_PORT);
  await emulator?.ready;
  const host = source.state === 'given' ? source.host : `127.0.0.1:${EMULATOR_PORT}`;
  try {
    const firestore = new Firestore({ projectId: PROJECT, host, ssl: false });
    const nominees = nomineesOf(8);
    await createFirestoreStore({ firestore, log: console }).setNominees(nominees);
    await firestore.terminate();
    const rounds = [];
    for (let round = 0; round < FIRST_VOTES; round += 1) {
      rounds.push(await measureFirstVote(host, nominees[0]?.id ?? ''));
    }
    return {
      'from process to instance ready, ms': median(rounds.map(({ ready }) => ready)).toFixed(0),
      'from ready to the first vote, ms': median(rounds.map(({ first }) => first)).toFixed(0),
      'from process to the first vote, ms': median(
        rounds.map(({ ready, first }) => ready + first),
      ).toFixed(0),
    };
  } finally {
    await emulator?.stop();
  }
}

async function measureFirstVote(firestore: string, game: string) {
  const start = performance.now();
  const main = join(FRAMEWORK, '../main.js');
  const child = spawn(process.execPath, [main, '--target=api', `--port=${PORT}`], {
    cwd: join(ROOT, 'dist'),
    env: {
      PATH: process.env.PATH,
      METADATA_SERVER_DETECTION: 'none',
      FIRESTORE_EMULATOR_HOST: firestore,
      GCLOUD_PROJECT: PROJECT,
      // As Cloud Run names the service of an instance.
      K_SERVICE: 'api',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    let isReady = false;
    for await (const line of createInterface(child.stdout)) {
      isReady = line.includes('URL:');
      if (isReady) break;
    }
    if (!isReady) throw new Error('the framework did not start');
    const ready = performance.now() - start;
    const { status } = await fetch(`http://127.0.0.1:${PORT}/goty/${game}`, {
      method: 'POST',
      headers: { 'Idempotency-Key': randomUUID() },
    });
    if (status !== 200) throw new Error(`the first vote was ${status}`);
    return { ready, first: performance.now() - start - ready };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}
