import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MS = 120_000;
const POLL_MS = 20;

/** Resolves with what is found, once something is. Rejects after two minutes. */
export async function until<Found>(
  find: () => Found | Promise<Found>,
  what: string,
): Promise<NonNullable<Found>> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await find();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await wait(POLL_MS);
  }
}
