import { findFirestore } from '@goty/functions/firestore-emulator';
import { freePort } from '@goty/functions/free-port';

// The emulator needs no credentials: do not look for a metadata server.
process.env.METADATA_SERVER_DETECTION = 'none';

/**
 * Starts a Firestore emulator, if none is given. `host` is its `host:port`.
 *
 * @throws with advice if there is no emulator
 */
export async function startFirestore() {
  const source = findFirestore();
  if (source.state === 'missing') throw new Error(`No Firestore emulator: ${source.advice}.`);
  if (source.state === 'given') return { host: source.host, async [Symbol.asyncDispose]() {} };
  const port = await freePort();
  const { ready, signal, stop } = source.start(port);
  process.once('exit', () => signal('SIGKILL'));
  await ready;
  return { host: `127.0.0.1:${port}`, [Symbol.asyncDispose]: stop };
}
