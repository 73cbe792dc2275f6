import { existsSync, lstatSync } from 'node:fs';
import type { Command } from 'commander';
import { errorText, OperatorError } from '../../src/runtime/operator-error.ts';
import { pluralize } from '../../src/runtime/pluralize.ts';
import { checkSound, recount } from '../../src/sqlite/ballots.ts';
import { APPLICATION_ID, openDatabase } from '../../src/sqlite/connection.ts';
import { readHeader } from '../../src/sqlite/files.ts';
import { configuredPaths, type Flags, outputFile, toOperatorError, withTarget } from '../target.ts';
import { askForYes, printLine, whileBusy } from '../terminal.ts';
import { writeAtomically } from '../write-atomically.ts';

export function addBackup(program: Command) {
  program
    .command('backup <file>')
    .description('copy the database, even while votes arrive')
    .option('--yes', 'replace an existing file without asking')
    .showHelpAfterError('It is for one machine: on Firebase, use `goty export`.')
    .action(async (name: string, { yes }: Flags<'yes'>) => {
      const file = outputFile(name);
      const { databasePath: path } = configuredPaths();
      const mayReplace = async () => {
        if (!isBackup(file)) {
          throw new OperatorError(`${file} exists and is no back-up: name another file.`);
        }
        await askForYes(`${file} exists. Replace it?`, yes);
      };
      const copied = (part: string) => whileBusy('Copying', copy(path, part));
      // Opened as by other commands, because that checks the database, and leaves it as one file.
      await withTarget({}, async () => {
        const votes = await writeAtomically(file, copied, mayReplace);
        printLine(`${file} has ${pluralize(votes, 'vote')}.`);
      });
    });
}

/** Whether it is a file with a database of ours, not a link to one, that no server has ever used. */
function isBackup(path: string): boolean {
  const isOurs = lstatSync(path).isFile() && readHeader(path)?.applicationId === APPLICATION_ID;
  return isOurs && !existsSync(`${path}-lock`) && !existsSync(`${path}-wal`);
}

/** @returns the number of votes */
async function copy(path: string, to: string): Promise<number> {
  using source = openDatabase(path);
  try {
    source.prepare('VACUUM INTO ?').run(to);
    return check(to);
  } catch (error) {
    throw toOperatorError(to, error);
  }
}

/** @returns the number of votes */
function check(path: string): number {
  using database = openDatabase(path);
  try {
    checkSound(database);
  } catch (error) {
    throw new OperatorError(`The copy is not sound: ${errorText(error)}.`);
  }
  return recount(database).reduce((sum, { ballots }) => sum + ballots, 0);
}
