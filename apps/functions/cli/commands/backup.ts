import { existsSync, renameSync, rmSync } from 'node:fs';
import { backup } from 'node:sqlite';
import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { makeOneFile, openForOperator } from '../../src/sqlite/database.ts';
import { openDatabase } from '../../src/sqlite/look.ts';
import { createPart, onDisk } from '../on-disk.ts';
import { databasePath, outputFile } from '../target.ts';
import { ask, count, whileBusy } from '../terminal.ts';

/**
 * All pages at once: if it copied in steps, SQLite would start again whenever a vote is stored
 * between two of them.
 */
const ALL_PAGES = 0x7fff_ffff;

export function addBackup(program: Command) {
  program
    .command('backup <file>')
    .description('copy the database, even while votes arrive')
    .option('--yes', 'replace an existing file without asking')
    .action(async (name: string, { yes }: { readonly yes?: boolean }) => {
      const file = outputFile(name);
      if (existsSync(file)) await ask(`${file} exists. Replace it?`, yes);
      const path = databasePath();
      // Opened only because that checks the database.
      await openForOperator(path).close();
      const part = await createPart(file);
      try {
        const votes = await onDisk(file, whileBusy('Copying', copy(path, part)));
        renameSync(part, file);
        console.info(`${file} has ${count(votes, 'vote')}.`);
      } finally {
        rmSync(part, { force: true });
      }
    });
}

/** @returns the number of votes */
async function copy(path: string, to: string): Promise<number> {
  const source = openDatabase(path);
  try {
    await backup(source, to, { rate: ALL_PAGES });
  } finally {
    makeOneFile(source);
    source.close();
  }
  return check(to);
}

/** @returns the number of votes; the database is then one file that needs no -wal beside it */
function check(path: string): number {
  const database = openDatabase(path);
  try {
    if (!makeOneFile(database)) throw new OperatorError('There is no room for the copy.');
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
