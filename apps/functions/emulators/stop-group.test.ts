import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { stopGroup } from './firestore-emulator.ts';

/** Starts a program that leads a group and has a worker. Both hold the pipe of its output. */
async function startLeader() {
  const worker = "require('node:child_process').spawn('sleep', ['60'], { stdio: 'inherit' })";
  const leader = spawn(process.execPath, ['-e', `${worker}; console.log('started')`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => stopGroup(leader));
  const closed = once(leader, 'close');
  await once(leader.stdout, 'data');
  return { leader, closed };
}

test.skipIf(process.platform === 'win32').each([
  ['that was killed', 'SIGKILL'],
  ['that runs', 'SIGTERM'],
] as const)('F10 an emulator %s is stopped with its workers, once or twice', async (_, signal) => {
  const { leader, closed } = await startLeader();
  if (signal === 'SIGKILL') {
    leader.kill(signal);
    await once(leader, 'exit');
  }
  await stopGroup(leader);
  await closed;
  await stopGroup(leader);
  expect(leader.signalCode).toBe(signal);
});
