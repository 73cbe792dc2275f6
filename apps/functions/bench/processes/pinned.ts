import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

// Processes that are each on a core of their own.

export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

export const folder = mkdtempSync(join(tmpdir(), 'goty-bench-'));
const children = new Set<ChildProcess>();

/** Ends what was started. */
export function cleanUp() {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

export function startPinned(core: number, args: readonly string[], env: Record<string, string>) {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', ...args];
  const isPinned = process.platform === 'linux' && availableParallelism() > LOAD_CORE;
  const [program = '', ...rest] = isPinned ? ['taskset', '-c', String(core), ...node] : node;
  const child = spawn(program, rest, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.add(child);
  return child;
}

/** Ends a process as an operator does. */
export async function endPinned(child: ChildProcess) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  children.delete(child);
}
