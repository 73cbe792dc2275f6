import type { DatabaseSync } from 'node:sqlite';
import { NOMINEE_FIELDS, type Nominee } from '@goty/shared/nominee';
import { unfinishedRemoval } from '../votes/unfinished-removal.ts';
import type { Ballot, OperatorStore, Recount, VoteStore } from '../votes/vote-store.ts';
import { readTimes } from './store.ts';
import { inTransaction } from './transaction.ts';

const PAGE = 1_000;
const COLUMNS = ['id', ...NOMINEE_FIELDS] as const;

/** The part of the store in SQLite that only the operator's commands use. */
export function createSqliteOperator(database: DatabaseSync): Omit<OperatorStore, keyof VoteStore> {
  const selectBallots = database.prepare(
    'SELECT id, game, at FROM ballots WHERE id > ? ORDER BY id LIMIT ?',
  );
  const deleteBallot = database.prepare('DELETE FROM ballots WHERE id = ? AND game = ?');
  const takeVote = database.prepare('UPDATE goty SET votos = votos - 1 WHERE id = ?');

  return {
    async setNominees(nominees) {
      await inTransaction(database, () => {
        checkRemoved(database, nominees);
        setNominees(database, nominees);
      });
    },
    async setTimes(decide) {
      await inTransaction(database, () => {
        const { opensAt = null, closesAt = null } = decide(readTimes(database));
        database.prepare('UPDATE settings SET opens_at = ?, closes_at = ?').run(opensAt, closesAt);
      });
    },
    async removeGame(id) {
      await inTransaction(database, () => {
        database.prepare('DELETE FROM ballots WHERE game = ?').run(id);
        database.prepare('DELETE FROM goty WHERE id = ?').run(id);
      });
    },
    async *ballots() {
      let last = '';
      while (true) {
        const page = selectBallots.all(last, PAGE);
        for (const { id, game, at } of page) {
          last = String(id);
          yield { id: last, game: String(game), at: Number(at) } satisfies Ballot;
        }
        if (page.length < PAGE) return;
      }
    },
    async removeBallots(ballots) {
      await inTransaction(database, () => {
        for (const { id, game } of ballots) {
          if (deleteBallot.run(id, game).changes === 1) takeVote.run(game);
        }
      });
    },
    recount: async () => recount(database),
    async repair(missing) {
      const removeOrphans = database.prepare(
        'DELETE FROM ballots WHERE game = ? AND game NOT IN (SELECT id FROM goty)',
      );
      await inTransaction(database, () => {
        for (const game of missing) removeOrphans.run(game);
        const set = database.prepare('UPDATE goty SET votos = ? WHERE id = ?');
        for (const { game, votos, ballots } of recount(database)) {
          if (votos !== ballots) set.run(ballots, game);
        }
      });
    },
  };
}

/** Adds nominees and changes the texts of existing ones. To be called in a transaction. */
export function setNominees(database: DatabaseSync, nominees: readonly Nominee[]) {
  const set = database.prepare(
    `INSERT INTO goty (${COLUMNS.join(', ')}, votos) VALUES (${COLUMNS.map(() => '?').join(', ')}, 0)
     ON CONFLICT (id) DO UPDATE SET
       ${NOMINEE_FIELDS.map((field) => `${field} = excluded.${field}`).join(', ')}`,
  );
  for (const nominee of nominees) set.run(...COLUMNS.map((column) => nominee[column]));
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

/** What is stored for each game: its sum and its ballots. */
export function recount(database: DatabaseSync): Recount[] {
  const rows = database.prepare(
    `WITH counts AS MATERIALIZED (SELECT game, count(*) AS ballots FROM ballots GROUP BY game)
     SELECT coalesce(goty.id, counts.game) AS game, goty.id IS NOT NULL AS is_game, votos,
            coalesce(ballots, 0) AS ballots
     FROM goty FULL JOIN counts ON counts.game = goty.id ORDER BY 1`,
  );
  return rows.all().map(({ game, is_game, votos, ballots }) => ({
    game: String(game),
    exists: is_game === 1,
    votos: votos === null ? undefined : Number(votos),
    ballots: Number(ballots),
  }));
}
