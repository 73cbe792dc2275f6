import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findFirestore } from '../emulators/firestore-emulator.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { freePort } from '../testing/free-port.ts';
import { CROWDS, cloudCrowds } from './crowd-faults.ts';
import { firestoreFaults } from './firestore-faults.ts';
import { NETWORK_FAULTS } from './network-faults.ts';
import { PROCESS_FAULTS } from './process-faults.ts';
import { lineOf, type Row, rowOf, TABLE_HEAD, writeRows } from './report.ts';
import { FULL, type Scenario, SHORT } from './scenario.ts';
import { SQLITE_FAULTS } from './sqlite-faults.ts';

// `pnpm faults`: see README.md.

const DOCUMENT = join(PROJECT_ROOT, 'docs/reliability.md');

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    short: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const print = options.json ? console.error : console.log;
const isChosen = ({ home, fault }: Scenario) => `${home}: ${fault}`.includes(options.only);
const standalone = [...PROCESS_FAULTS, ...SQLITE_FAULTS, ...NETWORK_FAULTS, ...CROWDS];
const cloud = (host: string) => [...firestoreFaults(host), ...cloudCrowds(host)];
const { host, stop } = await findEmulator(cloud('').some(isChosen));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abort);
const chosen = [...standalone, ...(host === undefined ? [] : cloud(host))].filter(isChosen);

const rows: Row[] = [];
print(TABLE_HEAD);
for (const scenario of chosen) {
  const row = await rowOf(scenario, options.short ? SHORT : FULL);
  print(lineOf(row));
  if (options.write) writeRows(DOCUMENT, [row], [...standalone, ...cloud('')]);
  rows.push(row);
}
await stop();

const failed = rows.filter(({ failures }) => failures.length > 0);
print(`${rows.length - failed.length} kept, ${failed.length} broken`);
if (options.json) console.log(JSON.stringify(rows, null, 2));
process.exitCode = failed.length === 0 && rows.length > 0 ? 0 : 1;

async function abort() {
  await stop();
  process.exit(130);
}

async function findEmulator(isNeeded: boolean) {
  const none = { host: undefined, stop: async () => {} };
  if (!isNeeded) return none;
  const firestore = findFirestore();
  if (firestore.state === 'missing') {
    print(`The faults of Firestore are skipped: ${firestore.advice}.`);
    return none;
  }
  if (firestore.state === 'given') return { host: firestore.host, stop: async () => {} };
  const port = await freePort();
  const { ready, stop } = firestore.start(port);
  await ready;
  return { host: `127.0.0.1:${port}`, stop };
}
