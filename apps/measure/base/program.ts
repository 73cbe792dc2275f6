import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export interface ProgramOptions {
  /** The script and its arguments. */
  readonly args: readonly string[];
  /** The whole environment but PATH. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** A running program. Disposing of it ends it as an operator does. */
export interface Program extends AsyncDisposable {
  readonly child: ChildProcess;
  /** The first URL that it has printed. */
  readonly address: string;
  /** Resolves with its exit code, `null` after a signal, once it has ended. */
  readonly exit: Promise<number | null>;
}

/** Starts Node. Resolves with the URL that it prints; rejects with its errors if it ends first. */
export async function startProgram({ args, env, cwd }: ProgramOptions): Promise<Program> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit').then(() => child.exitCode);
  const stop = () => {
    child.kill('SIGTERM');
    // Suspended, it could not end.
    child.kill('SIGCONT');
  };
  process.once('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  const errors = text(child.stderr);
  const address = await printedUrl(createInterface(child.stdout));
  if (address === undefined) throw new Error(await errors);
  return {
    child,
    address,
    exit,
    async [Symbol.asyncDispose]() {
      stop();
      await exit;
    },
  };
}

/** Resolves with `undefined` if the output ends first. Reads on, so that the pipe stays empty. */
function printedUrl(lines: ReturnType<typeof createInterface>): Promise<string | undefined> {
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const [url] = /https?:\/\/\S+/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
    lines.on('close', () => resolve(undefined));
  });
}
