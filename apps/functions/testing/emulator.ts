import { once } from 'node:events';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { findFirestore } from '../emulators/firestore-emulator.ts';
import { portOf } from '../src/standalone/server.ts';
import { freePort } from './free-port.ts';

/**
 * Finds or starts a Firestore emulator, which ends with this process. `host` is its `host:port`; without one it is
 * empty, and `advice` says what to install.
 */
export async function openEmulator() {
  const source = findFirestore();
  if (source.state !== 'startable') return { host: '', advice: '', async stop() {}, ...source };
  const port = await freePort();
  const { ready, stop } = source.start(port);
  await ready;
  return { host: `127.0.0.1:${port}`, advice: '', stop };
}

/** For all tests of a workspace, started when the first of them asks. Without an emulator, those that need it are skipped. */
export async function setup(project: TestProject) {
  let opened: ReturnType<typeof openEmulator> | undefined;
  const server = createServer(async (_request, response) => {
    if (!opened) {
      opened = openEmulator();
      const { advice } = await opened;
      if (advice) console.warn(`The Firestore tests are skipped: ${advice}.`);
    }
    response.end((await opened).host);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  project.provide('emulator', `http://127.0.0.1:${portOf(server)}`);
  return async () => {
    server.close();
    await (await opened)?.stop();
  };
}
