import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './report.ts';

const GOTY = join(ROOT, 'apps/functions/cli/goty.ts');

/** What a command of the operator's needs to find a vote. */
export interface OperatorEnvironment {
  readonly env: NodeJS.ProcessEnv;
  /** Arguments behind those of the command. */
  readonly args: readonly string[];
}

/**
 * Runs a command of the operator's in a folder.
 *
 * @param killAfter milliseconds until it is killed (`kill -9`), if it has not ended by then
 * @returns its exit code, `null` if it was killed, and all that it said
 */
export async function runGoty(
  operator: OperatorEnvironment,
  folder: string,
  args: readonly string[],
  killAfter?: number,
) {
  const command = ['--disable-warning=ExperimentalWarning', GOTY, ...args, ...operator.args];
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, INIT_CWD: folder, ...operator.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: killAfter,
    killSignal: 'SIGKILL',
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  await once(child, 'exit');
  return { code: child.exitCode, said: (await said).join('') };
}
