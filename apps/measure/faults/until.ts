import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MS = 120_000;
const POLL_MS = 20;

/** Resolves once `condition` holds. Rejects after two minutes. */
export async function until(condition: () => boolean | Promise<boolean>, what: string) {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await wait(POLL_MS);
  }
}
