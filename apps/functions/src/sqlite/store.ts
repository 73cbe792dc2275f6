import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { Game } from '@goty/shared/game';
import type { Act } from '@goty/shared/timetable';
import {
  type Ballot,
  type BallotOutcome,
  mayReveal,
  type Recount,
  type StoreState,
  UnavailableError,
  type VoteStore,
} from '../votes/vote-store.ts';
import { inTransaction, makeOneFile } from './connection.ts';
import { rememberFiles } from './files.ts';
import type { Claim } from './lock.ts';

/** So many ballots are counted at once, in an eighth of a millisecond: a vote may wait for that. */
const PAGE = 250;

/**
 * The store in a SQLite database: a table for the games, with their sums, and one for ballots.
 *
 * @param database an open database of ours, which the store closes
 * @param claim that of a server; without one, nothing is marked
 */
export function createSqliteStore(database: DatabaseSync, path: string, claim?: Claim): VoteStore {
  // From here on inTransaction waits for other processes. SQLite would hold up everything else.
  database.exec('PRAGMA busy_timeout = 0');
  const selectGames = database.prepare('SELECT id, name, url, votos FROM goty ORDER BY id');
  const selectTotal = database.prepare('SELECT total(votos) AS total FROM goty');
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const selectBallot = database.prepare('SELECT game FROM ballots WHERE id = ?');
  const insertBallot = database.prepare(
    'INSERT INTO ballots (id, game, at, voided, freeze) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const addVotes = database.prepare('UPDATE goty SET votos = votos + ? WHERE id = ?');
  const addVoided = database.prepare('UPDATE settings SET voided = voided + 1');
  const nextCommit = database.prepare(
    'UPDATE settings SET commits = commits + 1 RETURNING commits',
  );
  const readSettings = settingsReader(database);
  const selectRevision = database.prepare('PRAGMA data_version');
  const files = rememberFiles(path);

  return {
    async state() {
      checkFiles();
      // The revision comes first: a change between the two is then found by the next call.
      const revision = Number(selectRevision.get()?.data_version);
      return { revision, ...readSettings() };
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
        const { frozenAt } = readSettings();
        const outcomes = ballots.map((ballot) => store(ballot, frozenAt, votes));
        for (const [game, count] of votes) if (count > 0) addVotes.run(count, game);
        return { outcomes, number: votes.size > 0 ? nextCommit.get()?.commits : undefined };
      });
      // Checked after the commit, because what was written into a deleted file is not stored.
      checkFiles();
      if (number !== undefined) claim?.mark(Number(number));
      return outcomes;
    },
    record: async () => readRecord(database),
    async reveal(by, now) {
      await inTransaction(database, () => {
        if (!mayReveal(readSettings(), now)) return;
        database.exec('UPDATE settings SET frozen_at = NULL, ends_at_close = 0');
        setSums(database);
        noteAct(database, { at: now ?? Date.now(), by, what: 'reveal' });
      });
    },
    async close() {
      // Closing would delete the write-ahead log by its name, and by now that may be another database's.
      checkFiles();
      if (makeOneFile(database)) claim?.mark(0);
      database.close();
      claim?.release();
      files.forget();
    },
  };

  function checkFiles() {
    if (files.areInPlace()) return;
    throw new UnavailableError(
      `${path} or its -wal file was deleted, moved, replaced or overwritten while GOTY had it open`,
    );
  }

  /** Stores one ballot and, if it counts, adds it to `votes`, which then has its game in any case. */
  function store(
    { id, game, at, voided }: Ballot,
    frozenAt: number | undefined,
    votes: Map<string, number>,
  ): BallotOutcome {
    if (!votes.has(game) && !selectGame.get(game)) return 'unknown-game';
    const freeze = frozenAt !== undefined && at >= frozenAt ? frozenAt : null;
    if (insertBallot.run(id, game, at, voided ? 1 : 0, freeze).changes === 1) {
      if (voided) addVoided.run();
      const isInSum = !voided && freeze === null;
      votes.set(game, (votes.get(game) ?? 0) + Number(isInSum));
      return 'counted';
    }
    const votedFor = String(selectBallot.get(id)?.game);
    return votedFor === game ? 'replayed' : { votedFor };
  }
}

/** Returns a function that reads the settings. */
export function settingsReader(database: DatabaseSync): () => Omit<StoreState, 'revision'> {
  const select = database.prepare('SELECT * FROM settings');
  return () => {
    const row = select.get();
    return {
      times: { opensAt: timeOf(row?.opens_at), closesAt: timeOf(row?.closes_at) },
      frozenAt: timeOf(row?.frozen_at),
      endsAtClose: row?.ends_at_close === 1,
      changes: Number(row?.changes),
      voided: Number(row?.voided),
    };
  };
}

function readRecord(database: DatabaseSync): readonly Act[] {
  const rows = database.prepare('SELECT act FROM record').all();
  const acts: Act[] = rows.map(({ act }) => JSON.parse(String(act)));
  return acts.toSorted((a, b) => a.at - b.at);
}

/** Adds an act to the record, unless it is there. To be called in a transaction. */
export function noteAct(database: DatabaseSync, act: Act) {
  database.prepare('INSERT OR IGNORE INTO record (act) VALUES (?)').run(JSON.stringify(act));
}

/** What is stored for each game: its sum and its ballots. */
export function recount(database: DatabaseSync): Recount[] {
  const counting = recounting(database);
  let step = counting.next();
  while (!step.done) step = counting.next();
  return step.value;
}

/** Counts that a page at a time. To be called in a transaction, which sees one moment. */
export function* recounting(database: DatabaseSync): Generator<undefined, Recount[]> {
  const page = database.prepare(
    `SELECT game, max(id) AS last, count(*) FILTER (WHERE NOT voided) AS ballots,
       count(*) FILTER (WHERE voided) AS voided,
       count(*) FILTER (WHERE NOT voided AND freeze = (SELECT frozen_at FROM settings)) AS held
     FROM (SELECT * FROM ballots WHERE id > ? ORDER BY id LIMIT ${PAGE}) GROUP BY game`,
  );
  const none = { exists: false, votos: undefined, ballots: 0, voided: 0, held: 0 };
  const counts = new Map<unknown, Recount>();
  for (const { id, votos } of database.prepare('SELECT id, votos FROM goty').all()) {
    const sum = votos === null ? undefined : Number(votos);
    counts.set(id, { ...none, game: String(id), exists: true, votos: sum });
  }
  let [last, number] = ['', PAGE];
  while (number === PAGE) {
    number = 0;
    for (const row of page.all(last)) {
      const own = counts.get(row.game) ?? { ...none, game: String(row.game) };
      counts.set(row.game, {
        ...own,
        ballots: own.ballots + Number(row.ballots),
        voided: own.voided + Number(row.voided),
        held: own.held + Number(row.held),
      });
      if (String(row.last) > last) last = String(row.last);
      number += Number(row.ballots) + Number(row.voided);
    }
    yield;
  }
  return [...counts.values()].toSorted((a, b) => (a.game < b.game ? -1 : 1));
}

/** Sets every sum, and the number of voided ballots, to what is stored. To be called in a transaction. */
export function setSums(database: DatabaseSync) {
  const set = database.prepare('UPDATE goty SET votos = ? WHERE id = ?');
  let all = 0;
  for (const { game, votos, ballots, voided, held } of recount(database)) {
    if (votos !== ballots - held) set.run(ballots - held, game);
    all += voided;
  }
  database.prepare('UPDATE settings SET voided = ? WHERE voided <> ?').run(all, all);
}

/** @throws if the file is corrupt, or a sum is not the number of its ballots */
export function checkSound(database: DatabaseSync) {
  const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok')
    throw new Error(`it is corrupt (${String(verdict).replaceAll(/\s+/g, ' ')})`);
  const wrong = recount(database).find(
    ({ exists, votos, ballots, held }) => !exists || votos !== ballots - held,
  );
  if (wrong) {
    throw new Error(
      `${wrong.game} has ${wrong.votos ?? 'no'} votes, but ${wrong.ballots - wrong.held} ballots: \`goty audit\` shows more, \`goty audit --repair\` mends it`,
    );
  }
}

function timeOf(value: SQLOutputValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function toGame({ id, name, url, votos }: Record<string, SQLOutputValue>): Game {
  return { id: String(id), name: String(name), url: String(url), votos: Number(votos) };
}
