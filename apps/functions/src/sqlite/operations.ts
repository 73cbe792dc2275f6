import type { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Nominee } from '@goty/shared/nominee';
import { NO_KEYS } from '../votes/desk-keys.ts';
import {
  type Ballot,
  type DeskKeys,
  mayHideOthers,
  nameOfChange,
  type OperatorStore,
  type Recount,
  timetableOf,
  unfinishedRemoval,
  type VoteStore,
} from '../votes/vote-store.ts';
import { inTransaction, openDatabase } from './connection.ts';
import { noteAct, recounting, setSums, settingsReader } from './store.ts';

const PAGE = 1_000;

/** The part of the store in SQLite that only the operator's commands use. */
export function createSqliteOperations(
  database: DatabaseSync,
  path: string,
): Omit<OperatorStore, keyof VoteStore> {
  const deleteBallot = database.prepare(
    'DELETE FROM ballots WHERE id = ? AND game = ? RETURNING voided, freeze',
  );
  const voidBallot = database.prepare(
    'UPDATE ballots SET voided = ?1 WHERE id = ?2 AND game = ?3 AND voided <> ?1 RETURNING freeze',
  );
  const addVotes = database.prepare('UPDATE goty SET votos = votos + ? WHERE id = ?');
  const addVoided = database.prepare('UPDATE settings SET voided = voided + ?');
  const setTimes = database.prepare(
    'UPDATE settings SET opens_at = ?, closes_at = ?, frozen_at = ?, ends_at_close = ?',
  );
  const readSettings = settingsReader(database);

  return {
    async setNominees(nominees) {
      await inTransaction(database, () => {
        checkRemoved(database, nominees);
        setNominees(database, nominees);
      });
    },
    setTimes(decide, by) {
      return inTransaction(database, () => {
        const now = Date.now();
        const before = timetableOf(readSettings());
        const after = decide(before, now);
        if (isDeepStrictEqual(before, after)) return;
        const { opensAt = null, closesAt = null, frozenAt = null, endsAtClose } = after;
        setTimes.run(opensAt, closesAt, frozenAt, Number(endsAtClose));
        if (mayHideOthers(before, after, now)) setSums(database);
        const what = nameOfChange(before, after, now);
        noteAct(database, { at: now, by, what, before, after });
      });
    },
    note: (...acts) =>
      inTransaction(database, () => {
        for (const act of acts) noteAct(database, act);
      }),
    desk: async () => readDesk(database),
    changeDesk: (change) => inTransaction(database, () => changeDesk(database, change)),
    async removeGame(id) {
      await inTransaction(database, () => {
        const removeVoided = database.prepare('DELETE FROM ballots WHERE game = ? AND voided');
        addVoided.run(-Number(removeVoided.run(id).changes));
        database.prepare('DELETE FROM ballots WHERE game = ?').run(id);
        database.prepare('DELETE FROM goty WHERE id = ?').run(id);
      });
    },
    ballots: (game) => readBallots(database, game),
    async removeBallots(ballots) {
      await inTransaction(database, () => {
        const { frozenAt } = readSettings();
        for (const { id, game } of ballots) {
          const removed = deleteBallot.get(id, game);
          if (removed?.voided === 1) addVoided.run(-1);
          else if (removed && removed.freeze !== frozenAt) addVotes.run(-1, game);
        }
      });
    },
    async voidBallots(ballots, voided) {
      return inTransaction(database, () => {
        const { frozenAt } = readSettings();
        let number = 0;
        for (const { id, game } of ballots) {
          const changed = voidBallot.get(Number(voided), id, game);
          if (!changed) continue;
          number += 1;
          if (changed.freeze !== frozenAt) addVotes.run(voided ? -1 : 1, game);
        }
        addVoided.run(voided ? number : -number);
        return number;
      });
    },
    recount: () => recountBeside(path),
    async repair(missing) {
      const removeOrphans = database.prepare(
        'DELETE FROM ballots WHERE game = ? AND game NOT IN (SELECT id FROM goty)',
      );
      await inTransaction(database, () => {
        for (const game of missing) removeOrphans.run(game);
        setSums(database);
      });
    },
  };
}

async function* readBallots(database: DatabaseSync, only?: string): AsyncGenerator<Ballot> {
  // Of all games, so that a page takes no longer where a game has few ballots.
  const select = database.prepare(
    'SELECT id, game, at, voided FROM ballots WHERE id > ? ORDER BY id LIMIT ?',
  );
  let [last, number] = ['', PAGE];
  while (number === PAGE) {
    const page = select.all(last, PAGE);
    for (const { id, game, at, voided } of page) {
      last = String(id);
      if (only !== undefined && game !== only) continue;
      const ballot = { id: last, game: String(game), at: Number(at) };
      yield voided === 1 ? { ...ballot, voided: true } : ballot;
    }
    number = page.length;
    // At the desk, a server answers votes meanwhile.
    await setImmediate();
  }
}

function readDesk(database: DatabaseSync): DeskKeys {
  const row = database.prepare('SELECT keys FROM desk').get();
  return row ? JSON.parse(String(row.keys)) : NO_KEYS;
}

function changeDesk(database: DatabaseSync, change: (keys: DeskKeys, now: number) => DeskKeys) {
  const before = readDesk(database);
  const after = change(before, Date.now());
  if (after === before) return;
  const insert = database.prepare('INSERT OR REPLACE INTO desk (id, keys) VALUES (1, ?)');
  insert.run(JSON.stringify(after));
}

/** Counts on a connection of its own, which sees one moment, and pauses for votes. */
async function recountBeside(path: string): Promise<Recount[]> {
  using snapshot = openDatabase(path, { readOnly: true });
  snapshot.exec('BEGIN');
  const counting = recounting(snapshot);
  let step = counting.next();
  while (!step.done) {
    await setTimeout(1);
    step = counting.next();
  }
  return step.value;
}

/** Adds nominees and changes the texts of existing ones. To be called in a transaction. */
export function setNominees(database: DatabaseSync, nominees: readonly Nominee[]) {
  const set = database.prepare(
    `INSERT INTO goty (id, name, url, votos) VALUES (?, ?, ?, 0)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, url = excluded.url`,
  );
  for (const { id, name, url } of nominees) set.run(id, name, url);
}

/** @throws OperatorError if a game that is missing has ballots, which would become votes of a new one */
function checkRemoved(database: DatabaseSync, nominees: readonly Nominee[]) {
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const added = nominees.map(({ id }) => id).filter((id) => !selectGame.get(id));
  // All ballots are read for this, so not if nothing is added.
  if (added.length === 0) return;
  const orphan = database.prepare(
    'SELECT game FROM ballots WHERE game IN (SELECT value FROM json_each(?)) LIMIT 1',
  );
  const found = orphan.get(JSON.stringify(added));
  if (found) throw unfinishedRemoval(String(found.game));
}
