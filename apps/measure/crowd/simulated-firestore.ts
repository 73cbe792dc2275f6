import { once } from 'node:events';
import http2 from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { portOf } from '@goty/functions/server';
import { end, passBack } from '../faults/firestore-proxy.ts';

/** As long as a commit waits for documents of others, in milliseconds. Then Firestore fails it, and the SDK tries again. */
const PATIENCE_MS = 3_000;
const ABORTED = 10;
/** What a commit changes besides ballots, of which each has a document of its own: the names as they stand in its bytes. */
const SHARED_DOCUMENT = /\/documents\/((?:goty|settings|fences|uncounted)\/[\w-]+)/g;

/**
 * Starts a proxy before an emulator, with the one thing that the emulator lacks of Firestore under load: a commit holds
 * the documents that it writes for a while, and others that write one of them wait.
 *
 * @param target `host:port` of the emulator. Its variable must not be set: it would lead the SDK past the proxy.
 * @param holdMs for how long a commit holds its documents, in milliseconds
 */
export async function simulateFirestore(
  target: string,
  holdMs: number,
  resources: AsyncDisposableStack,
) {
  const held = new Map<string, Promise<void>>();
  let sumWrites = 0;
  const upstream = http2.connect(`http://${target}`);
  resources.defer(() => upstream.destroy());
  const server = http2.createServer().listen(0, '127.0.0.1');
  resources.use(server);
  server.on('stream', async (stream, headers) => {
    stream.on('error', () => {});
    const request = () => upstream.request(headers).on('error', () => stream.close());
    if (!headers[':path']?.endsWith('/Commit')) {
      passBack(stream.pipe(request()), stream);
      return;
    }
    const body = await buffer(stream);
    const matches = body.toString('latin1').matchAll(SHARED_DOCUMENT);
    const names = [...new Set([...matches].map(([, name = '']) => name))];
    const release = await hold(names);
    if (!release) return end(stream, ABORTED);
    await wait(holdMs);
    sumWrites += names.filter((name) => name.startsWith('goty/')).length;
    const forwarded = request();
    forwarded.on('close', release).end(body);
    passBack(forwarded, stream);
  });
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${portOf(server)}`,
    /** How many documents of games were written so far. */
    sumWrites: () => sumWrites,
  };

  /** Waits until nobody holds these documents, then holds them all. Returns what gives them back, unless it took too long. */
  async function hold(names: readonly string[]) {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const busy = names.flatMap((name) => held.get(name) ?? []);
      if (busy.length === 0) break;
      if (performance.now() > deadline) return undefined;
      await Promise.race([...busy, wait(PATIENCE_MS)]);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const name of names) held.set(name, promise);
    return () => {
      for (const name of names) held.delete(name);
      resolve();
    };
  }
}
