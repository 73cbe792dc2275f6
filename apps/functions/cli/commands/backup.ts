import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { makeOneFile, openForOperator } from '../../src/standalone/sqlite-database.ts';
import { databasePath, filePath } from '../target.ts';
import { ask, count } from '../terminal.ts';

/** All at once: SQLite starts again whenever a vote is stored between two steps. */
const ALL_PAGES = 0x7fff_ffff;

export function addBackup(program: Command) {
  program
    .command('backup <file>')
    .description('copies the database, also while votes arrive')
    .option('--yes', 'replace the file if it exists')
    .action(async (name: string, { yes }: { readonly yes?: boolean }) => {
      const file = filePath(name);
      const part = `${file}.part`;
      if (existsSync(file)) await ask(`${file} exists. Replace it?`, yes);
      rmSync(part, { force: true });
      const path = databasePath();
      // Only for what it checks.
      await openForOperator(path).close();
      const source = new DatabaseSync(path);
      try {
        await backup(source, part, { rate: ALL_PAGES });
      } catch (error) {
        throw new OperatorError(`${part} cannot be written: ${String(error)}`);
      } finally {
        source.close();
      }
      const votes = check(part);
      renameSync(part, file);
      console.info(`${file} has ${count(votes, 'vote')}.`);
    });
}

/** @returns the number of votes; the database is then one file that needs no -wal beside it */
function check(path: string): number {
  const database = new DatabaseSync(path);
  try {
    makeOneFile(database);
    const { quick_check } = database.prepare('PRAGMA quick_check(1)').get() ?? {};
    const { votos, ballots } =
      database
        .prepare(
          `SELECT (SELECT coalesce(sum(votos), 0) FROM goty) AS votos,
                  (SELECT count(*) FROM ballots) AS ballots`,
        )
        .get() ?? {};
    if (quick_check === 'ok' && votos === ballots) return Number(votos);
    throw new OperatorError(`The copy is not sound: run \`npx pnpm@12 goty audit\`.`);
  } finally {
    database.close();
  }
}
