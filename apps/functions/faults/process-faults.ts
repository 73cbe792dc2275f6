import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { headOf, openConnections } from './connections.ts';
import { check, type Scenario, until } from './scenario.ts';
import { type StandaloneHome, standalone } from './standalone-home.ts';

const STREAMS = 50;
const DESCRIPTORS = 64;
const STOP_MS = 5_000;

/** What can happen to a process. */
export const PROCESS_FAULTS: readonly Scenario[] = [
  standalone({
    fault: 'killed (`kill -9`) under load, again and again',
    promise: 'P5: no acknowledged vote is lost; P6: nothing is in the way of the next start',
    async inject({ home, votes, scale }) {
      const stop = votes.pour(64);
      for (let kill = 0; kill < scale.kills; kill += 1) {
        const { acknowledged } = votes.counts();
        await until(() => votes.counts().acknowledged > acknowledged + 100, 'votes count');
        home.signal('SIGKILL');
        await home.exit();
        check((await home.start()).isOpen, 'it starts after a kill');
      }
      await stop();
    },
  }),
  standalone({
    fault: 'SIGTERM under load, with open streams and unfinished bodies',
    promise: 'P4: exit code 0 within 5 s; L7: every stream is ended',
    async inject({ home, votes, scale }) {
      const streams = await Promise.all(Array.from({ length: STREAMS }, () => openStream(home)));
      const ended = Promise.all(streams.map(({ promise }) => promise));
      await openConnections(home.port, scale.connections, headOf(votes.newKey(), 2));
      const stop = votes.pour(64);
      await wait(scale.loadMs);
      const stoppedAt = performance.now();
      home.signal('SIGTERM');
      check((await home.exit()) === 0, 'exit code 0');
      check(performance.now() - stoppedAt < STOP_MS, 'it ends within 5 s');
      await ended;
      await stop();
    },
  }),
  standalone({
    fault: 'suspended (SIGSTOP) and resumed',
    promise: 'V3: what was sent again counts once',
    async inject({ home, votes, scale }) {
      const stop = votes.pour(64);
      await wait(scale.loadMs);
      home.signal('SIGSTOP');
      await wait(scale.outageMs);
      home.signal('SIGCONT');
      await wait(scale.loadMs);
      await stop();
    },
  }),
  standalone({
    fault: `out of file descriptors (\`ulimit -n ${DESCRIPTORS}\`)`,
    promise: 'V2: it goes on once there are descriptors, without a restart',
    shell: `ulimit -n ${DESCRIPTORS}`,
    async inject({ home, votes, scale }) {
      const pid = home.pid();
      const stop = votes.pour(8);
      const taken = await openConnections(home.port, scale.connections);
      await wait(scale.loadMs);
      taken.close();
      await stop();
      check(home.isRunning() && home.pid() === pid, 'it runs on');
    },
  }),
  standalone({
    fault: '256 MB of heap (`--max-old-space-size`), streams, large bodies',
    promise: 'B4, L9: memory does not grow with what clients send',
    flags: ['--max-old-space-size=256'],
    async inject({ home, votes, scale }) {
      await Promise.all(Array.from({ length: STREAMS }, () => openStream(home)));
      const stop = votes.pour(256);
      const body = 'x'.repeat(1_000_000);
      for (let sent = 0; sent < scale.connections; sent += 10) {
        const requests = Array.from({ length: 10 }, () =>
          fetch(`${home.address()}/goty/a`, { method: 'POST', body }).then(
            ({ status }) => status,
            // The connection is closed while the body is still being sent.
            () => 413,
          ),
        );
        const statuses = await Promise.all(requests);
        check(
          statuses.every((status) => status === 413),
          'B4: a large body is 413',
        );
      }
      await stop();
      check(home.isRunning(), 'it runs on');
    },
  }),
];

/** Opens a live stream and reads it. Resolves with a promise of its end. */
async function openStream(home: StandaloneHome): Promise<{ readonly promise: Promise<void> }> {
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${home.address()}/goty/live`, { agent: false }, resolve).on('error', reject);
  const stream = await response;
  stream.resume();
  const promise = new Promise<void>((ended) => {
    stream.on('error', () => {});
    stream.on('close', ended);
  });
  return { promise };
}
