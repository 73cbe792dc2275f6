import { ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openForOperator } from '@goty/functions/sqlite-database';
import { freePort } from '@goty/functions/testing/free-port';
import type { VoteStore } from '@goty/functions/vote-store';
import { API_PREFIX } from '@goty/shared/protocol';
import { newFolder, startStandalone } from '../base/homes.ts';
import { GAME } from './votes.ts';

export type StandaloneHome = Awaited<ReturnType<typeof openStandalone>>;

/** Starts the standalone home as a process. */
export async function openStandalone(resources: AsyncDisposableStack) {
  const folder = newFolder();
  // A test runner ends its processes without telling them.
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'goty.sqlite');
  const port = await freePort();
  const nominees = [{ id: GAME, name: 'Uno', url: '/a.svg' }];
  const start = () => startStandalone({ path, port, nominees });
  let server = await start();
  resources.defer(async () => {
    server.child.kill('SIGKILL');
    await server.exit;
  });
  return {
    port,
    path,
    operator: (name = 'goty') => ({ env: { DATABASE: join(folder, `${name}.sqlite`) }, args: [] }),
    address: () => `http://127.0.0.1:${port}${API_PREFIX}`,
    signal: (name: NodeJS.Signals) => void server.child.kill(name),
    /** Sets a resource limit of the process, such as `fsize=unlimited`. */
    limit(limit: string) {
      const { status } = spawnSync('prlimit', ['--pid', String(server.child.pid), `--${limit}`]);
      ok(status === 0, `the limit is set (prlimit ${limit})`);
    },
    /** Resolves once the server has exited, with its code. */
    exit: () => server.exit.then(([code]) => code),
    async heal() {
      if (server.hasEnded()) server = await start();
    },
    async use<Result>(work: (store: VoteStore) => Promise<Result>) {
      const store = openForOperator(path);
      return work(store).finally(store.close);
    },
  };
}
