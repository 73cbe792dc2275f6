import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { atExit } from './at-exit.ts';

export interface ProgramOptions {
  /** Options of Node, the script and its arguments. */
  readonly args: readonly string[];
  /** The whole environment but PATH. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Commands of a POSIX shell that come first, such as `ulimit`. */
  readonly shell?: string;
  /** The user and group that it becomes. */
  readonly uid?: number;
}

/** A running program. Disposing of it ends it as an operator does. */
export interface Program extends AsyncDisposable {
  /** With a channel for messages. */
  readonly child: ChildProcess;
  /** The first URL that it has printed. */
  readonly address: string;
  /** Resolves with its exit code, `null` after a signal, once it has ended. */
  readonly exit: Promise<number | null>;
}

/** Starts Node. Resolves with the URL that it prints; rejects with its errors if it ends first. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { args, env, cwd, shell, uid } = options;
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', ...args];
  // `exec`: signals have to reach the program, not the shell.
  const inShell = ['sh', '-c', `${shell}\nexec "$0" "$@"`, ...node];
  const [command = '', ...rest] = shell === undefined ? node : inShell;
  const child = spawn(command, rest, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const exit = once(child, 'exit').then(() => child.exitCode);
  const stop = () => {
    child.kill('SIGTERM');
    // Suspended, it could not end.
    child.kill('SIGCONT');
  };
  exit.finally(atExit(stop));
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('the program has no output');
  const errors = text(stderr);
  const address = await printedUrl(createInterface(stdout));
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
