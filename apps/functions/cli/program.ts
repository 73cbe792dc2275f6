import { Command, CommanderError } from 'commander';
import { OperatorError } from '../src/runtime/operator-error.ts';
import { HAS_FIREBASE } from '../src/runtime/project-root.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addCheck } from './commands/check.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addInit } from './commands/init.ts';
import { addNominees } from './commands/nominees.ts';
import { addReset } from './commands/reset.ts';
import { addResults } from './commands/results.ts';
import { addTimes } from './commands/times.ts';
import { addTraffic } from './commands/traffic.ts';
import { addVoid } from './commands/void.ts';

export const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const DESCRIPTION =
  'Runs a vote. Commands work on the database that DATABASE names (.data/goty.sqlite by default) in the environment or in the file .env, even while its server is running.';
const FIREBASE =
  'With --project they work on that Firebase project, or on the emulator at FIRESTORE_EMULATOR_HOST if it is set.';

/** Runs a command, after `prepare`. Resolves once it has ended, with its code in `process.exitCode`. */
export async function runGoty(args: readonly string[], prepare = () => {}): Promise<void> {
  process.exitCode = 0;
  try {
    prepare();
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
    } else {
      // An error of the system names the call and the path, as for a name that is too long.
      const isOfSystem = error instanceof Error && 'syscall' in error;
      if (!(error instanceof OperatorError) && !isOfSystem) throw error;
      console.error(error.message);
      process.exitCode = EXIT_FAILED;
    }
  }
}

function createProgram(): Command {
  const program = new Command('goty')
    .usage('COMMAND')
    .description(HAS_FIREBASE ? `${DESCRIPTION} ${FIREBASE}` : DESCRIPTION)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 the audit found differences.',
    )
    .exitOverride();
  addInit(program);
  addNominees(program);
  addTimes(program);
  addResults(program);
  addTraffic(program);
  addVoid(program);
  addAudit(program);
  addBackup(program);
  addExport(program);
  addImport(program);
  addReset(program);
  addCheck(program);
  return program;
}
