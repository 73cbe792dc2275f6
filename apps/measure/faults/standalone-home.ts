import { chownSync, rmSync } from 'node:fs';
import { freePort } from '@goty/functions/free-port';
import { openForOperator } from '@goty/functions/sqlite-database';
import type { OperatorStore } from '@goty/functions/vote-store';
import { API_PREFIX } from '@goty/shared/protocol';
import { newFolder } from '../base/folder.ts';
import type { Program } from '../base/program.ts';
import { databaseIn, type StandaloneOptions, startStandalone } from '../base/standalone.ts';
import { createScenario, type Fault, type Scenario } from './scenario.ts';
import { GAME } from './votes.ts';

/** The user `nobody` on most systems. */
const NOBODY = 65_534;

/** The home as a process. */
export type StandaloneHome = Awaited<ReturnType<typeof open>>;

interface ServerOptions extends Pick<StandaloneOptions, 'flags' | 'shell'> {
  /** Whether root becomes `nobody`, to whom permissions matter. */
  readonly isUnprivileged?: boolean;
}

/** A scenario with the standalone home as a process, as `pnpm start` runs it. */
export function standalone(fault: Fault<StandaloneHome> & ServerOptions): Scenario {
  return createScenario('standalone', (resources) => open(fault, resources), fault);
}

async function open(
  { flags = [], shell, isUnprivileged = false }: ServerOptions,
  resources: AsyncDisposableStack,
) {
  const folder = newFolder();
  // A test runner ends its processes without telling them.
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = databaseIn(folder);
  const port = await freePort();
  const isDemoted = isUnprivileged && process.getuid?.() === 0;
  if (isDemoted) chownSync(folder, NOBODY, NOBODY);
  const options: StandaloneOptions = {
    folder,
    port,
    flags,
    nominees: [{ id: GAME, name: 'Uno', url: '/a.svg' }],
    ...(shell === undefined ? {} : { shell }),
    ...(isDemoted ? { uid: NOBODY } : {}),
  };
  let server: Program = await startStandalone(options);
  resources.defer(async () => {
    server.child.kill('SIGKILL');
    await server.exit;
  });
  return {
    port,
    folder,
    /** The database. */
    path,
    address: () => `http://127.0.0.1:${port}${API_PREFIX}`,
    /** The server's process id. */
    pid: () => server.child.pid,
    isRunning,
    signal: (name: NodeJS.Signals) => void server.child.kill(name),
    /** Resolves once the server has exited, with its code. */
    exit: () => server.exit,
    start,
    async heal() {
      if (!isRunning()) await start();
    },
    async use<Result>(work: (store: OperatorStore) => Promise<Result>) {
      const store = openForOperator(path);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };

  function isRunning() {
    return server.child.exitCode === null && server.child.signalCode === null;
  }

  /** Rejects with what the server says if it refuses. */
  async function start() {
    server = await startStandalone(options);
  }
}
