import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup } from 'node:sqlite';
import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { makeOneFile, openDatabase, openForOperator } from '../../src/sqlite/database.ts';
import { databasePath, outputFile } from '../target.ts';
import { ask, count } from '../terminal.ts';

/** All at once: SQLite starts again whenever a vote is stored between two steps. */
const ALL_PAGES = 0x7fff_ffff;

export function addBackup(program: Command) {
  program
    .command('backup <file>')
    .description('copy the database, even while votes arrive')
    .option('--yes', 'replace an existing file without asking')
    .action(async (name: string, { yes }: { readonly yes?: boolean }) => {
      const file = outputFile(name);
      const part = `${file}.part`;
      if (existsSync(file)) await ask(`${file} exists. Replace it?`, yes);
      const path = databasePath();
      // Only for what it checks.
      await openForOperator(path).close();
      try {
        rmSync(part, { force: true });
        await copy(path, part);
        const votes = check(part);
        renameSync(part, file);
        console.info(`${file} has ${count(votes, 'vote')}.`);
      } catch (error) {
        rmSync(part, { force: true });
        if (error instanceof OperatorError) throw error;
        throw new OperatorError(`${file} cannot be written: ${String(error)}`);
      }
    });
}

async function copy(path: string, to: string) {
  const source = openDatabase(path, 0);
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    makeOneFile(source);
    source.close();
  }
}

/** @returns the number of votes; the database is then one file that needs no -wal beside it */
function check(path: string): number {
  const database = openDatabase(path, 0);
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
    throw new OperatorError(`The copy is not sound: run \`goty audit\`.`);
  } finally {
    database.close();
  }
}
