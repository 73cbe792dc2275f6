import { loadVariables } from '../src/operator/env-file.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { EXIT_FAILED, runGoty } from './program.ts';

// `node goty.js`, the operator's commands.

// `goty results | head` closes the pipe before the end. That is no fault, so the command goes on and exits with its own code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  console.error(`What the command says cannot be written: ${error.message}.`);
  process.exit(EXIT_FAILED);
});

await runGoty(process.argv.slice(2), () => {
  for (const note of loadVariables(PROJECT_ROOT)) console.error(note);
});
// When Firestore does not answer, its SDK keeps trying, and would keep the process alive for half a minute.
if (process.exitCode === EXIT_FAILED) process.exit();
