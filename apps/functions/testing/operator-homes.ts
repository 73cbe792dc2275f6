import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'node:util';
import { slot } from '@goty/shared/page-html';
import { API_PREFIX } from '@goty/shared/protocol';
import { expect, onTestFinished, vi } from 'vitest';
import { SETTLED_MS } from '../cli/commands/codes.ts';
import { KNOWN_MS } from '../cli/commands/times.ts';
import { runGoty } from '../cli/program.ts';
import { createFirestoreStore } from '../src/firestore/store.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { openForOperator, openSqliteStore } from '../src/sqlite/database.ts';
import { createStandaloneHome } from '../src/standalone/standalone-home.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';
import { createTestClock, patientClock, settled, type TestClock } from './clock.ts';
import { startCloudServer } from './cloud-server.ts';
import { firestoreHost, newProjectId, openFirestore } from './firestore.ts';
import { testFolder } from './folder.ts';
import { freePort } from './free-port.ts';
import { serveApp } from './http.ts';
import { createTestLog } from './log.ts';

const NOMINEES = 'id,name,url\na,Uno,/a.svg\nb,=Dos,/b.svg\n';
/** What a command may read of the environment. */
const VARIABLES = ['DATABASE', 'COVERS', 'FIRESTORE_EMULATOR_HOST'] as const;

const WAITS: readonly number[] = [KNOWN_MS, SETTLED_MS];

/** What passes while `init` or another command waits until every server knows of a change: nothing, unless a test says so. */
export const learning = { wait: async (_ms: number) => {} };

/** Runs `goty` in `folder`, in this process: one command at a time. */
export async function run(
  environment: Partial<Record<(typeof VARIABLES)[number], string>>,
  folder: string,
  ...args: string[]
) {
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).flatMap((stream) => {
    const add = (text: string) => {
      printed[stream] += text;
      return true;
    };
    return [
      vi.spyOn(process[stream], 'write').mockImplementation((text) => add(String(text))),
      vi
        .spyOn(console, stream === 'stdout' ? 'info' : 'error')
        .mockImplementation((...parts) => void add(`${format(...parts)}\n`)),
    ];
  });
  const time = vi.spyOn(systemClock, 'after').mockImplementation((ms, end) => {
    if (!WAITS.includes(ms)) return patientClock.after(ms, end);
    void learning.wait(ms).then(end);
    return () => {};
  });
  for (const name of VARIABLES) vi.stubEnv(name, environment[name]);
  vi.stubEnv('INIT_CWD', folder);
  try {
    await runGoty(args);
    // Every command names its vote, so tests of what else it says need not.
    const [vote = ''] = /^Vote: .*\n/.exec(printed.stderr) ?? [];
    return {
      status: process.exitCode,
      ...printed,
      stderr: printed.stderr.slice(vote.length),
      vote,
    };
  } finally {
    process.exitCode = undefined;
    vi.unstubAllEnvs();
    for (const spy of [...spies, time]) spy.mockRestore();
  }
}

interface Home {
  readonly run: (...args: string[]) => ReturnType<typeof run>;
  /** Serves the vote for the running test. */
  serve(clock: TestClock): Promise<{ readonly address: string }>;
  /** What visitors can read of the store without the server. */
  collection(): Promise<string>;
  /** Calls `work` with the store, as a server has it. */
  use<Result>(work: (store: VoteStore) => Promise<Result>): Promise<Result>;
}

/** An empty vote, with a CSV file of nominees in the folder where commands run. */
type OpenHome = (folder: string) => Promise<Home>;

export const openStandalone: OpenHome = async (folder) => {
  const DATABASE = join(folder, 'goty.sqlite');
  const COVERS = join(folder, 'covers');
  const open = (port = 0) => openSqliteStore({ path: DATABASE, firstNominees: () => [], port });
  await open().close();
  return {
    run: (...args) => run({ DATABASE, COVERS }, folder, ...args),
    async serve(clock) {
      const port = await freePort();
      const store = open(port);
      const log = createTestLog();
      mkdirSync(join(folder, '.templates'));
      const slots = 'live origin rehearsal site preview previewText'.split(' ').map(slot);
      writeFileSync(join(folder, '.templates/inicio.html'), slots.join('\n'));
      const publicOrigin = (opened: string) => opened;
      const page = { folder, coversFolder: COVERS, embedOrigins: [], publicOrigin };
      const { app, close } = createStandaloneHome({ store, policy: 'unlimited', clock, log, page });
      onTestFinished(() => store.close());
      onTestFinished(close);
      return serveApp(app, undefined, port);
    },
    collection: async () => '',
    async use(work) {
      const store = openForOperator(DATABASE);
      const result = await work(store);
      await store.close();
      return result;
    },
  };
};

export const openCloud: OpenHome = async (folder) => {
  const project = newProjectId();
  const environment = { FIRESTORE_EMULATOR_HOST: firestoreHost, COVERS: join(folder, 'covers') };
  const firestore = openFirestore(project);
  const store = createFirestoreStore(firestore, console);
  return {
    run: (...args) => run(environment, folder, ...args, '--project', project),
    serve: (clock) => startCloudServer({ project, nominees: [], clock, writeIntervalMs: 0 }),
    async collection() {
      const documents = `v1/projects/${project}/databases/(default)/documents`;
      return (await fetch(`http://${firestoreHost}/${documents}/goty`)).text();
    },
    use: (work) => work(store),
  };
};

/** Both homes, and whether they can run here. */
export const HOMES = [
  { name: 'the standalone home', home: openStandalone, isMissing: false, isStandalone: true },
  { name: 'the cloud home', home: openCloud, isMissing: firestoreHost === '', isStandalone: false },
];

/** An open vote of that home, with a nominees file in its folder, and with those nominees if it has ballots. */
export async function openVote(home: OpenHome, ballots?: Readonly<Record<string, string[]>>) {
  const folder = testFolder();
  writeFileSync(join(folder, 'n.csv'), NOMINEES);
  const { run, ...vote } = await home(folder);
  const says = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(...args);
    return `${status}: ${stdout}${stderr}`;
  };
  const done = async (...args: string[]) => {
    const ended = await run(...args);
    expect([args, ended]).toMatchObject([args, { status: 0 }]);
    return ended.stdout;
  };
  if (ballots) await done('nominees', 'set', 'n.csv');
  for (const [game, ids] of Object.entries(ballots ?? {})) {
    const group = ids.map((id) => ({ id, game, at: 5 }));
    await vote.use((store) => store.commit(group));
  }
  return {
    folder,
    run,
    ...vote,
    /** Time passes as the test says. `now` is the system's, by which commands open and close the vote. */
    async serve() {
      const clock = { ...createTestClock(), now: Date.now };
      const { address } = await vote.serve(clock);
      // A command keeps this process busy, and a connection that waits may be closed before its next request.
      const ask = (path: string, init?: RequestInit) =>
        fetch(`${address}${API_PREFIX}${path}`, {
          ...init,
          headers: { ...init?.headers, connection: 'close' },
        });
      const send = (...request: Parameters<typeof ask>) => settled(ask(...request), clock);
      return { address, ask, clock, send };
    },
    /** Runs a command. Resolves with its exit code and what it says. */
    says,
    /** Runs a command that has to succeed. Resolves with what it prints. */
    done,
  };
}
