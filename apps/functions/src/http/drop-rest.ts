import type { Readable } from 'node:stream';

/** How much of what is refused is still read and dropped before a connection is closed, in bytes and milliseconds. */
const MAX_DROPPED = 1_000_000;
const DROP_MS = 1_000;

/**
 * Drops what still comes, until its end or for a moment. A client that is still writing when its connection is closed gets a reset
 * in place of the answer: https://www.rfc-editor.org/rfc/rfc9112#section-9.6
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
