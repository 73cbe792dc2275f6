import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Game } from '@goty/shared/game';
import { NOMINEE_FIELDS, toNominee } from '@goty/shared/nominee';
import { UnavailableError } from '../votes/unavailable-error.ts';
import type { Ballot, BallotOutcome, VoteStore, VoteTimes } from '../votes/vote-store.ts';
import { rememberFiles } from './open-files.ts';
import { inTransaction } from './transaction.ts';

export interface SqliteStoreOptions {
  /** An open database of ours. */
  readonly database: DatabaseSync;
  readonly path: string;
  /** Called with the number of each commit that will be acknowledged. The numbers rise. */
  readonly acknowledged: (commit: number) => void;
  /** Closes the database and gives up what was claimed. */
  readonly close: () => void;
}

/** The store in a SQLite database: a table for the games, with their sums, and one for ballots. */
export function createSqliteStore(options: SqliteStoreOptions): VoteStore {
  const { database, path, acknowledged, close } = options;
  const selectGames = database.prepare(
    `SELECT id, ${NOMINEE_FIELDS.join(', ')}, votos FROM goty ORDER BY id`,
  );
  const selectTotal = database.prepare('SELECT total(votos) AS total FROM goty');
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const selectBallot = database.prepare('SELECT game FROM ballots WHERE id = ?');
  const insertBallot = database.prepare(
    'INSERT INTO ballots (id, game, at) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const addVotes = database.prepare('UPDATE goty SET votos = votos + ? WHERE id = ?');
  const nextCommit = database.prepare(
    'UPDATE settings SET commits = commits + 1 RETURNING commits',
  );
  const selectRevision = database.prepare('PRAGMA data_version');
  // The first access after the switch to WAL creates the -wal file.
  selectRevision.get();
  selectGame.get('');
  const files = rememberFiles(path);

  return {
    async state() {
      checkFiles();
      // The revision comes first: a change between the two is then found by the next call.
      const revision = Number(selectRevision.get()?.data_version);
      return { revision, times: readTimes(database) };
    },
    async games() {
      return selectGames.all().map(toGame);
    },
    async total() {
      return Number(selectTotal.get()?.total);
    },
    async commit(ballots) {
      // Checked before the commit, because SQLite may write old pages into another file.
      checkFiles();
      const { outcomes, number } = await inTransaction(database, () => {
        const votes = new Map<string, number>();
        const outcomes = ballots.map((ballot) => store(ballot, votes));
        for (const [game, count] of votes) addVotes.run(count, game);
        return { outcomes, number: votes.size > 0 ? nextCommit.get()?.commits : undefined };
      });
      // Checked after the commit, because what was written into a deleted file is not stored.
      checkFiles();
      if (number !== undefined) acknowledged(Number(number));
      return outcomes;
    },
    async close() {
      // Closing would delete the write-ahead log by its name, and by now that may be another database's.
      checkFiles();
      close();
      files.forget();
    },
  };

  function checkFiles() {
    if (files.areInPlace()) return;
    throw new UnavailableError(
      `${path} or its -wal file was deleted, moved, replaced or overwritten while GOTY had it open`,
    );
  }

  /** Stores one ballot and, if it counts, adds it to `votes`. */
  function store({ id, game, at }: Ballot, votes: Map<string, number>): BallotOutcome {
    if (!votes.has(game) && !selectGame.get(game)) return 'unknown-game';
    if (insertBallot.run(id, game, at).changes === 1) {
      votes.set(game, (votes.get(game) ?? 0) + 1);
      return 'counted';
    }
    const votedFor = String(selectBallot.get(id)?.game);
    return votedFor === game ? 'replayed' : { votedFor };
  }
}

export function readTimes(database: DatabaseSync): VoteTimes {
  const times = database.prepare('SELECT opens_at, closes_at FROM settings').get();
  return { opensAt: timeOf(times?.opens_at), closesAt: timeOf(times?.closes_at) };
}

function timeOf(value: SQLOutputValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function toGame(row: Record<string, SQLOutputValue>): Game {
  const { id, votos, ...texts } = row;
  return { ...toNominee(String(id), (field) => String(texts[field])), votos: Number(votos) };
}
