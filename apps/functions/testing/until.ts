import { setTimeout as wait } from 'node:timers/promises';

const POLL_MS = 5;

/** Waits until the condition holds, for as long as the test may take. */
export async function until(condition: () => unknown): Promise<void> {
  while (!(await condition())) await wait(POLL_MS);
}
