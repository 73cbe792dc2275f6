import { EXIT_FAILED, runGoty } from './program.ts';

// `pnpm goty`, the operator's commands.

// `goty results | head` closes the pipe before the end: the command goes on and ends with its own code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await runGoty(process.argv.slice(2));
// Not `exitCode` alone: the SDK of a Firestore that does not answer goes on trying for half a minute.
if (process.exitCode === EXIT_FAILED) process.exit();
