import { ok } from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault, Home, Scene } from './scenario.ts';
import type { StandaloneHome } from './standalone-home.ts';
import { until } from './until.ts';

// What several faults share.

export const CONNECTIONS = 64;

type StandaloneScene = Scene<StandaloneHome>;

/** Takes the write lock. Returns a function that gives it back. */
export function lock(path: string): () => void {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  database.exec('BEGIN IMMEDIATE');
  return () => database.close();
}

/**
 * Something is gone while votes are sent, and comes back without a restart.
 *
 * @param begin returns how it ends
 * @param watch resolves once it has had an effect
 */
export function outage<AnyHome extends Home>(
  begin: (home: AnyHome) => (() => void) | Promise<() => void>,
  watch: (scene: Scene<AnyHome>) => Promise<unknown> = async () => {},
): Pick<Fault<AnyHome>, 'pour' | 'inject'> {
  return {
    pour: CONNECTIONS,
    async inject(scene) {
      await scene.votes.untilCounted();
      const end = await begin(scene.home);
      await Promise.all([watch(scene), wait(scene.scale.outageMs)]);
      end();
      await scene.votes.untilCounted();
    },
  };
}

/** Of either home; in the cloud, the instances take turns with each key. */
export const REPLAYS: Fault<Home> = {
  fault: '50 keys, each sent ten times at once',
  promise: 'V3: each counts once',
  async inject({ votes }) {
    const keys = Array.from({ length: 50 }, () => votes.newKey());
    await Promise.all(keys.flatMap((key) => Array.from({ length: 10 }, () => votes.send(key))));
  },
};

/** Deletes or replaces the database after a back-up, then restores it as README.md says. */
export async function loseDatabase(
  scene: StandaloneScene,
  lose: (path: string, backup: string) => void,
) {
  const { home, votes, scale } = scene;
  await votes.sendAtOnce(scale.connections);
  const backup = `${home.path}.backup`;
  const database = new DatabaseSync(home.path);
  database.prepare('VACUUM INTO ?').run(backup);
  database.close();
  const copy = `${home.path}.copy`;
  copyFileSync(backup, copy);
  lose(home.path, copy);
  const stop = votes.pour(CONNECTIONS);
  await expectNoConfirmations(scene).finally(stop);
  home.signal('SIGTERM');
  ok((await home.exit()) === 1, 'exit code 1');
  for (const end of ['', '-wal', '-shm']) rmSync(`${home.path}${end}`, { force: true });
  copyFileSync(backup, home.path);
}

export async function expectNoConfirmations(scene: StandaloneScene) {
  const { home, votes, scale } = scene;
  await untilRefused(scene);
  // Replies to votes that were committed before may still be on their way.
  await votes.untilAnswered();
  const acknowledged = votes.acknowledged();
  await wait(scale.loadMs);
  ok(votes.acknowledged() === acknowledged, 'no vote is confirmed');
  // The first connection that comes to hand may be one that the server is closing.
  const answer = () => fetch(`${home.address()}/health`).catch(() => undefined);
  const { status } = await until(answer, 'health is answered');
  ok(status === 503, 'health is 503');
}

export function untilRefused({ votes }: StandaloneScene) {
  return until(async () => (await votes.send()) === 503, 'votes are 503');
}
