import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { check, type Scenario, type Scene, until } from './scenario.ts';
import { type StandaloneHome, standalone } from './standalone-home.ts';

const PRELOAD = new URL('preload.ts', import.meta.url).href;
/** Blocks of 512 bytes: half a megabyte of write-ahead log. */
const FILE_BLOCKS = 1_024;

/** What can happen to the database of the standalone home. */
export const SQLITE_FAULTS: readonly Scenario[] = [
  standalone({
    fault: 'a disk that takes half a second for each commit',
    promise: 'G2: the votes of that time go together; V2',
    flags: [`--import=${PRELOAD}?slowMs=500`],
    async inject({ votes, scale }) {
      const stop = votes.pour(64);
      await wait(scale.loadMs * 2);
      await stop();
    },
  }),
  standalone({
    fault: 'locked by another program',
    promise: 'P10: votes wait for it; G5: not for longer than 8 s',
    async inject({ home, votes, scale }) {
      const stop = votes.pour(64);
      await until(() => votes.counts().acknowledged > 0, 'votes count');
      const unlock = lock(home.path);
      await wait(scale.outageMs);
      unlock();
      await stop();
    },
  }),
  standalone({
    fault: 'a full disk (`ulimit -f`), then room again',
    promise: 'V2, B9: votes are 503 meanwhile, and count again afterwards without a restart',
    // Without the trap, the signal of a file that is too large would end the process.
    shell: `trap '' XFSZ; ulimit -S -f ${FILE_BLOCKS}`,
    async inject({ home, votes, scale }) {
      const stop = votes.pour(64);
      await untilRefused(votes);
      await wait(scale.loadMs);
      const pid = String(home.pid());
      const { status } = spawnSync('prlimit', ['--pid', pid, '--fsize=unlimited:unlimited']);
      check(status === 0, 'the limit is lifted (prlimit)');
      const { acknowledged } = votes.counts();
      await until(() => votes.counts().acknowledged > acknowledged, 'votes count again');
      await stop();
      check(String(home.pid()) === pid, 'it runs on');
    },
  }),
  standalone({
    fault: 'killed, then read-only at the next start',
    promise: 'P3: it refuses to start in one line and changes nothing',
    isUnprivileged: true,
    async inject({ home, votes, scale }) {
      const stop = votes.pour(64);
      await wait(scale.loadMs);
      home.signal('SIGKILL');
      await home.exit();
      await stop();
      const files = readdirSync(home.folder).map((name) => join(home.folder, name));
      for (const file of files) chmodSync(file, 0o444);
      chmodSync(home.folder, 0o555);
      const { isOpen, errors } = await home.start();
      check(!isOpen && /^[^\n]+\n$/.test(errors), `one line: ${errors}`);
      chmodSync(home.folder, 0o755);
      for (const file of files) chmodSync(file, 0o644);
    },
  }),
  standalone({
    fault: 'moved away, and back',
    promise: 'P9: no vote is confirmed without it, and health is 503',
    async inject({ home, votes, scale }) {
      const stop = votes.pour(64);
      await until(() => votes.counts().acknowledged > 0, 'votes count');
      renameSync(home.path, `${home.path}.away`);
      await expectNoConfirmations({ home, votes, scale });
      renameSync(`${home.path}.away`, home.path);
      const { acknowledged } = votes.counts();
      await until(() => votes.counts().acknowledged > acknowledged, 'votes count again');
      await stop();
    },
  }),
  standalone({
    fault: 'deleted; a back-up is restored',
    promise: 'P9: no vote is confirmed without it, the exit code is 1',
    inject: (scene) => loseDatabase(scene, ({ path }) => rmSync(path)),
  }),
  standalone({
    fault: 'replaced by a back-up',
    promise: 'P9: no vote is confirmed, the exit code is 1',
    inject: (scene) =>
      loseDatabase(scene, ({ path }, backup) => {
        copyFileSync(backup, `${path}.new`);
        renameSync(`${path}.new`, path);
      }),
  }),
  standalone({
    fault: 'a clock that jumps a day ahead, then a day back',
    promise: 'G1, G5: nothing but opening and closing times depends on the time of day',
    flags: [`--import=${PRELOAD}?clock`],
    async inject({ home, votes, scale }) {
      const stop = votes.pour(64);
      for (let jump = 0; jump < 3; jump += 1) {
        const { acknowledged } = votes.counts();
        home.signal('SIGUSR2');
        await wait(scale.loadMs);
        check(votes.counts().acknowledged > acknowledged, 'votes count at any time of day');
      }
      await stop();
    },
  }),
];

/** Takes the write lock. Returns a function that gives it back. */
export function lock(path: string): () => void {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec('BEGIN IMMEDIATE');
  return () => database.close();
}

/** Deletes or replaces the database after a back-up, then restores it as README.md says. */
async function loseDatabase(
  scene: Scene<StandaloneHome>,
  lose: (home: StandaloneHome, backup: string) => void,
) {
  const { home, votes } = scene;
  await votes.sendAtOnce(scene.scale.connections);
  const backup = join(home.folder, 'backup.sqlite');
  const database = new DatabaseSync(home.path);
  database.prepare('VACUUM INTO ?').run(backup);
  database.close();
  lose(home, backup);
  const stop = votes.pour(64);
  await expectNoConfirmations(scene);
  await stop();
  home.signal('SIGTERM');
  check((await home.exit()) === 1, 'exit code 1');
  for (const end of ['', '-wal', '-shm']) rmSync(`${home.path}${end}`, { force: true });
  copyFileSync(backup, home.path);
}

async function expectNoConfirmations({
  home,
  votes,
  scale,
}: Pick<Scene<StandaloneHome>, 'home' | 'votes' | 'scale'>) {
  // Replies to votes that were committed before may still be on their way.
  await untilRefused(votes);
  const { acknowledged } = votes.counts();
  await wait(scale.loadMs);
  check(votes.counts().acknowledged === acknowledged, 'no vote is confirmed');
  check((await fetch(`${home.address()}/health`)).status === 503, 'health is 503');
}

async function untilRefused(votes: Scene<StandaloneHome>['votes']) {
  await until(async () => (await votes.send(votes.newKey())) === 503, 'votes are 503');
}
