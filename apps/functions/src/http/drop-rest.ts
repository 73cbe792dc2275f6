import type { Readable } from 'node:stream';

/** Limits, in bytes and milliseconds, for what is read of a refused request before its connection is closed. */
const MAX_DROPPED = 1_000_000;
const DROP_MS = 1_000;

/**
 * Reads and drops what a client is still sending, until its end or one of the limits above. A client that is still writing when
 * its connection is closed gets a reset in place of the answer: https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function dropRest(incoming: Readable): Promise<void> {
  let dropped = 0;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, DROP_MS);
    incoming.on('data', (chunk: Buffer) => {
      dropped += chunk.length;
      if (dropped > MAX_DROPPED) resolve();
    });
    incoming.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    incoming.resume();
  });
}
