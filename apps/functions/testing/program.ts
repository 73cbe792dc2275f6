import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { VARIABLES } from '../src/operator/config.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';

/** What is empty is as good as unset, also if a developer's file `.env` has it. */
const UNSET = Object.fromEntries(VARIABLES.map((name) => [name, '']));

export interface ProgramOptions
  extends Pick<SpawnOptions, 'cwd' | 'uid' | 'gid' | 'timeout' | 'killSignal'> {
  readonly node?: string;
}

/** Compiling GOTY anew would take more than half of the time of a command. */
const NODE_COMPILE_CACHE = join(PROJECT_ROOT, 'node_modules/.cache/goty');

/** Runs Node with these arguments, until this process ends. Besides PATH, the environment is what is given, and no `.env`. */
export function runProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { node = process.execPath, ...options }: ProgramOptions = {},
) {
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], {
    ...options,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...UNSET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  const end = () => {
    child.kill('SIGTERM');
    // Suspended, it could not end.
    child.kill('SIGCONT');
  };
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const { stdout, stderr } = child;
  return {
    child,
    stdout,
    /** Resolves with all that it says there, once it has ended. */
    stderr: text(stderr),
    /** Resolves with code and signal. */
    exit,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    /** Ends it as an operator does, and resolves with its code. */
    async stop(): Promise<number | null> {
      end();
      await exit;
      return child.exitCode;
    },
  };
}

/** Runs a server until it prints its URL, or at which one it runs. Rejects with its complaint if it ends before. */
export async function startProgram(...given: Parameters<typeof runProgram>) {
  const program = runProgram(...given);
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  const lines = createInterface(program.stdout);
  // Until it ends, so that the pipe stays empty.
  lines.on('line', (line) => {
    const [, url] = /(?:^|runs at |^URL: )(https?:\/\/\S+)/.exec(line) ?? [];
    if (url !== undefined) resolve(url);
  });
  lines.on('close', async () => reject(new Error(await program.stderr)));
  const url = new URL(await address);
  return {
    ...program,
    address: url.origin,
    port: Number(url.port),
    async [Symbol.asyncDispose]() {
      await program.stop();
    },
  };
}
