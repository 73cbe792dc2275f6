import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '@goty/functions/free-port';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { atExit } from '../base/at-exit.ts';
import { openFirestoreStore } from '../base/cloud.ts';
import { startFirestore } from '../base/firestore.ts';
import { startProgram } from '../base/program.ts';
import { ROOT } from '../base/report.ts';
import { nomineesOf } from '../base/standalone.ts';
import { interleave, median, ratioOf } from '../base/statistics.ts';

// `pnpm bench:start-up`: how long the built Function of a checkout takes to load, compared with an empty
// one, and until it has counted its first vote. Medians of interleaved rounds.

const { project, rounds } = parseArgs({
  options: {
    project: { type: 'string', default: ROOT },
    rounds: { type: 'string', default: '9' },
  },
}).values;
const FUNCTION = resolve(project, 'apps/functions/dist');
const FRAMEWORK = join(
  createRequire(import.meta.url).resolve('@google-cloud/functions-framework'),
  '../main.js',
);
const BARE = join(FUNCTION, 'bare.js');
const PROJECT = 'demo-start-up';

writeFileSync(
  BARE,
  "import { onRequest } from 'firebase-functions/v2/https';\nexport const api = onRequest(() => {});\n",
);
atExit(() => rmSync(BARE));
const loads = await interleave(
  Number(rounds),
  async () => load(join(FUNCTION, 'index.js')),
  async () => load(BARE),
);
await using firestore = await startFirestore();
const [game] = nomineesOf(8);
const store = openFirestoreStore(firestore.host, PROJECT);
await store.setNominees(nomineesOf(8));
await store.close();
const firstVotes = [];
for (let round = 0; round < Number(rounds); round += 1) firstVotes.push(await measureFirstVote());
const ms = (times: readonly number[]) => median(times).toFixed(0);
console.table({
  'loading the Function, ms': ms(loads.map(([ours]) => ours)),
  'loading an empty one, ms': ms(loads.map(([, bare]) => bare)),
  'M9: ratio': ratioOf(loads).median.toFixed(2),
  'from process to instance ready, ms': ms(firstVotes.map(({ ready }) => ready)),
  'from ready to the first vote, ms': ms(firstVotes.map(({ ready, voted }) => voted - ready)),
  'from process to the first vote, ms': ms(firstVotes.map(({ voted }) => voted)),
});

/** The time to import the module in a new process, in milliseconds. */
function load(module: string): number {
  const code = `const start = performance.now();
    await import(${JSON.stringify(module)});
    console.log(performance.now() - start);`;
  const args = ['--input-type=module', '--eval', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: FUNCTION,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** In a new process, as Cloud Run starts an instance. Times are since the start of the process. */
async function measureFirstVote() {
  const port = await freePort();
  const start = performance.now();
  await using instance = await startProgram({
    args: [FRAMEWORK, '--target=api', `--port=${port}`],
    cwd: FUNCTION,
    env: {
      METADATA_SERVER_DETECTION: 'none',
      FIRESTORE_EMULATOR_HOST: firestore.host,
      GCLOUD_PROJECT: PROJECT,
      // As Cloud Run names the service of an instance.
      K_SERVICE: 'api',
    },
  });
  const ready = performance.now() - start;
  const { status } = await fetch(new URL(`/goty/${game?.id}`, instance.address), {
    method: 'POST',
    headers: { [IDEMPOTENCY_KEY]: randomUUID() },
  });
  if (status !== 200) throw new Error(`the first vote was ${status}`);
  return { ready, voted: performance.now() - start };
}
