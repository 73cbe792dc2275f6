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

test.skipIf(process.platform === 'win32')(
  'F10 the workers of an emulator that was killed end, too',
  async () => {
    const { leader, closed } = await startLeader();
    leader.kill('SIGKILL');
    await once(leader, 'exit');
    await stopGroup(leader);
    await closed;
    expect(leader.signalCode).toBe('SIGKILL');
  },
);

test.skipIf(process.platform === 'win32')(
  'F10 an emulator is stopped with its workers, once or twice',
  async () => {
    const { leader, closed } = await startLeader();
    await stopGroup(leader);
    await closed;
    await stopGroup(leader);
    expect(leader.signalCode).toBe('SIGTERM');
  },
);
