import { Command, CommanderError } from 'commander';
import { OperatorError } from '../src/runtime/operator-error.ts';
import { HAS_FIREBASE } from '../src/runtime/project-root.ts';

export const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const DESCRIPTION =
  'Runs a vote. Commands work on the database that DATABASE names (.data/goty.sqlite by default) in the environment or in the file .env, even while its server is running.';
const FIREBASE_HELP =
  'With --project they work on that Firebase project, or on the emulator at FIRESTORE_EMULATOR_HOST if it is set.';

type Add = (program: Command) => void;

/** The functions that add the commands, in the order of the help. A command's file is loaded only if it is needed. */
const COMMANDS: readonly (readonly [names: string, load: () => Promise<Add>])[] = [
  ['init', async () => (await import('./commands/nominees.ts')).addInitCommand],
  ['nominees', async () => (await import('./commands/nominees.ts')).addNomineesCommands],
  [
    'open close freeze times status record',
    async () => (await import('./commands/times.ts')).addTimesCommands,
  ],
  ['codes', async () => (await import('./commands/codes.ts')).addCodesCommand],
  ['desk', async () => (await import('./commands/desk.ts')).addDeskCommand],
  ['results', async () => (await import('./commands/results.ts')).addResultsCommand],
  ['traffic void', async () => (await import('./commands/traffic.ts')).addTrafficCommands],
  ['audit reveal', async () => (await import('./commands/audit.ts')).addAuditCommands],
  ['export', async () => (await import('./commands/export.ts')).addExportCommand],
  ['import', async () => (await import('./commands/import.ts')).addImportCommand],
  ['reset', async () => (await import('./commands/export.ts')).addResetCommand],
  ['check', async () => (await import('./commands/check.ts')).addCheckCommand],
];

/** Calls `prepare`, then runs a command. Resolves once the command has ended, with its exit code in `process.exitCode`. */
export async function runGoty(args: readonly string[], prepare = () => {}): Promise<void> {
  process.exitCode = 0;
  try {
    prepare();
    const program = await createProgram(args[0]);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
    } else {
      // An error of the operating system is shown as it is, because its message names the call and the path.
      const isOfSystem = error instanceof Error && 'syscall' in error;
      if (!(error instanceof OperatorError) && !isOfSystem) throw error;
      console.error(error.message);
      process.exitCode = EXIT_FAILED;
    }
  }
}

/** Only the commands of the file of `name` are added, or all commands if no command has that name. */
async function createProgram(name = ''): Promise<Command> {
  const program = new Command('goty')
    .usage('COMMAND')
    .description(HAS_FIREBASE ? `${DESCRIPTION} ${FIREBASE_HELP}` : DESCRIPTION)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 the audit found differences.',
    )
    .exitOverride();
  const named = COMMANDS.filter(([names]) => names.split(' ').includes(name));
  for (const [, load] of named.length > 0 ? named : COMMANDS) (await load())(program);
  return program;
}
