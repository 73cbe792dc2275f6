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
    'Runs a vote: that in the database DATABASE (.data/goty.sqlite), also while its server is open, or with --project that of a Firebase project, in the emulator if FIRESTORE_EMULATOR_HOST is set.',
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

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  } else {
    if (!(error instanceof OperatorError)) throw error;
    console.error(error.message);
    process.exitCode = EXIT_FAILED;
  }
}
