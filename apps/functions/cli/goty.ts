import { Command, CommanderError } from 'commander';
import { OperatorError } from '../src/runtime/operator-error.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addNominees } from './commands/nominees.ts';
import { addReset } from './commands/reset.ts';
import { addResults } from './commands/results.ts';
import { addTimes } from './commands/times.ts';

// `pnpm goty`, the operator's commands.

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const program = new Command('goty')
  .usage('COMMAND')
  .description(
    'Runs a vote. Commands work on the database that DATABASE names (.data/goty.sqlite by default), even while its server is running. With --project they work on that Firebase project, or on the emulator at FIRESTORE_EMULATOR_HOST if it is set.',
  )
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 the audit found differences.',
  )
  .exitOverride();
addNominees(program);
addTimes(program);
addResults(program);
addAudit(program);
addBackup(program);
addExport(program);
addImport(program);
addReset(program);

// `goty results | head` closes the pipe before the end: the command goes on and ends with its own code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  } else {
    if (!(error instanceof OperatorError)) throw error;
    console.error(error.message);
    // Not `exitCode`: the SDK of a Firestore that does not answer goes on trying for half a minute.
    process.exit(EXIT_FAILED);
  }
}
