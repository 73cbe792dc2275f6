import { setTimeout as wait } from 'node:timers/promises';
import { headOf, openConnections } from './connections.ts';
import { type StandaloneHome, standalone } from './standalone-home.ts';
import { check } from './until.ts';

const STREAMS = 50;
const DESCRIPTORS = 64;
const STOP_MS = 5_000;
const LARGE_BODY = 'x'.repeat(1_000_000);

/** What can happen to a process. */
export const PROCESS_FAULTS = [
  standalone({
    fault: 'killed (`kill -9`) under load, again and again',
    promise: 'P5: no acknowledged vote is lost; P6: nothing is in the way of the next start',
    pour: 64,
    async inject({ home, votes, scale }) {
      for (let kill = 0; kill < scale.kills; kill += 1) {
        await votes.untilCounted(100);
        home.signal('SIGKILL');
        await home.exit();
        await home.start();
      }
    },
  }),
  standalone({
    fault: 'SIGTERM under load, with open streams and unfinished bodies',
    promise: 'P4: exit code 0 within 5 s; L7: every stream is ended',
    pour: 64,
    async inject({ home, votes, scale }) {
      const streams = await openStreams(home);
      await openConnections(home.port, scale.connections, headOf(votes.newKey(), 2));
      await wait(scale.loadMs);
      const stoppedAt = performance.now();
      home.signal('SIGTERM');
      check((await home.exit()) === 0, 'exit code 0');
      check(performance.now() - stoppedAt < STOP_MS * scale.slack, 'it ends within 5 s');
      await Promise.all(streams.map((stream) => stream.text().catch(() => {})));
    },
  }),
  standalone({
    fault: 'suspended (SIGSTOP) and resumed',
    promise: 'V3: what was sent again counts once',
    pour: 64,
    async inject({ home, scale }) {
      await wait(scale.loadMs);
      home.signal('SIGSTOP');
      await wait(scale.outageMs);
      home.signal('SIGCONT');
      await wait(scale.loadMs);
    },
  }),
  standalone({
    fault: `out of file descriptors (\`ulimit -n ${DESCRIPTORS}\`)`,
    promise: 'V2: it goes on once there are descriptors, without a restart',
    shell: `ulimit -n ${DESCRIPTORS}`,
    pour: 8,
    async inject({ home, votes, scale }) {
      const pid = home.pid();
      const taken = await openConnections(home.port, scale.connections);
      await wait(scale.loadMs);
      for (const socket of taken) socket.destroy();
      await votes.untilCounted();
      check(home.isRunning() && home.pid() === pid, 'it runs on');
    },
  }),
  standalone({
    fault: '256 MB of heap (`--max-old-space-size`), streams, large bodies',
    promise: 'B4, L9: memory does not grow with what clients send',
    flags: ['--max-old-space-size=256'],
    pour: 256,
    async inject({ home, scale }) {
      await openStreams(home);
      for (let sent = 0; sent < scale.connections; sent += 10) {
        const statuses = await Promise.all(Array.from({ length: 10 }, () => sendLarge(home)));
        check(
          statuses.every((status) => status === 413),
          'B4: a large body is 413',
        );
      }
      check(home.isRunning(), 'it runs on');
    },
  }),
];

/** Opens live streams. */
function openStreams(home: StandaloneHome): Promise<Response[]> {
  const open = () => fetch(`${home.address()}/goty/live`);
  return Promise.all(Array.from({ length: STREAMS }, open));
}

async function sendLarge(home: StandaloneHome): Promise<number> {
  return fetch(`${home.address()}/goty/a`, { method: 'POST', body: LARGE_BODY }).then(
    ({ status }) => status,
    // The connection is closed while the body is still being sent.
    () => 413,
  );
}
