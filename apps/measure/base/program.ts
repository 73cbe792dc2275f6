import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

export type Program = Awaited<ReturnType<typeof startProgram>>;

/**
 * Starts Node. Resolves once it prints a URL, or that it 'is open at' one; rejects with its errors if it ends first.
 *
 * @param args the script and its arguments
 * @param env the whole environment but PATH
 */
export async function startProgram(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
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
  const { promise: address, resolve, reject } = Promise.withResolvers<string>();
  const lines = createInterface(child.stdout);
  // Until it ends, so that the pipe stays empty.
  lines.on('line', (line) => {
    // Not the lines of the emulators, which are not ready yet.
    const [, url] = /(?:^|is open at )(https?:\/\/\S+)/.exec(line) ?? [];
    if (url !== undefined) resolve(url);
  });
  lines.on('close', async () => reject(new Error(await errors)));
  return {
    child,
    /** The URL. */
    address: await address,
    /** Resolves with its exit code, `null` after a signal, once it has ended. */
    exit,
    /** Ends it as an operator does. */
    async [Symbol.asyncDispose]() {
      stop();
      await exit;
    },
  };
}
