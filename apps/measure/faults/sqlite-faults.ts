import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Scene } from './scenario.ts';
import { type StandaloneHome, standalone } from './standalone-home.ts';
import { check, until } from './until.ts';

const PRELOAD = new URL('../base/preload.ts', import.meta.url).href;
/** Blocks of 512 bytes: half a megabyte of write-ahead log. */
const FILE_BLOCKS = 1_024;

/** What can happen to the database of the standalone home. */
export const SQLITE_FAULTS = [
  standalone({
    fault: 'a disk that takes half a second for each commit',
    promise: 'G2: the votes of that time go together; V2',
    flags: [`--import=${PRELOAD}?slowMs=500`],
    pour: 64,
    inject: ({ scale }) => wait(scale.loadMs * 2),
  }),
  standalone({
    fault: 'locked by another program',
    promise: 'P10: votes wait for it; G5: not for longer than 8 s',
    pour: 64,
    async inject({ home, votes, scale }) {
      await votes.untilCounted();
      const unlock = lock(home.path);
      await wait(scale.outageMs);
      unlock();
    },
  }),
  standalone({
    fault: 'a full disk (`ulimit -f`), then room again',
    promise: 'V2, B9: votes are 503 meanwhile, and count again afterwards without a restart',
    // Without the trap, the signal of a file that is too large would end the process.
    shell: `trap '' XFSZ; ulimit -S -f ${FILE_BLOCKS}`,
    pour: 64,
    async inject(scene) {
      const { home, votes, scale } = scene;
      await untilRefused(scene);
      await wait(scale.loadMs);
      const pid = home.pid();
      const limits = ['--pid', String(pid), '--fsize=unlimited:unlimited'];
      check(spawnSync('prlimit', limits).status === 0, 'the limit is lifted (prlimit)');
      await votes.untilCounted();
      check(home.pid() === pid, 'it runs on');
    },
  }),
  standalone({
    fault: 'killed, then read-only at the next start',
    promise: 'P3: it refuses to start in one line and changes nothing',
    isUnprivileged: true,
    pour: 64,
    async inject({ home, scale }) {
      await wait(scale.loadMs);
      home.signal('SIGKILL');
      await home.exit();
      const files = readdirSync(home.folder).map((name) => join(home.folder, name));
      for (const file of files) chmodSync(file, 0o444);
      chmodSync(home.folder, 0o555);
      const refusal = await home.start().then(() => '', String);
      check(/^Error: [^\n]+\n$/.test(refusal), `one line: ${refusal}`);
      chmodSync(home.folder, 0o755);
      for (const file of files) chmodSync(file, 0o644);
    },
  }),
  standalone({
    fault: 'moved away, and back',
    promise: 'P9: no vote is confirmed without it, and health is 503',
    pour: 64,
    async inject(scene) {
      const { home, votes } = scene;
      await votes.untilCounted();
      renameSync(home.path, `${home.path}.away`);
      await expectNoConfirmations(scene);
      renameSync(`${home.path}.away`, home.path);
      await votes.untilCounted();
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
    pour: 64,
    async inject({ home, votes, scale }) {
      for (let jump = 0; jump < 3; jump += 1) {
        home.signal('SIGUSR2');
        await wait(scale.loadMs);
        await votes.untilCounted();
      }
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
  const { home, votes, scale } = scene;
  await votes.sendAtOnce(scale.connections);
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

async function expectNoConfirmations(scene: Scene<StandaloneHome>) {
  const { home, votes, scale } = scene;
  // Replies to votes that were committed before may still be on their way.
  await untilRefused(scene);
  const acknowledged = votes.acknowledged();
  await wait(scale.loadMs);
  check(votes.acknowledged() === acknowledged, 'no vote is confirmed');
  check((await fetch(`${home.address()}/health`)).status === 503, 'health is 503');
}

function untilRefused({ votes }: Scene<StandaloneHome>) {
  return until(async () => (await votes.send()) === 503, 'votes are 503');
}
