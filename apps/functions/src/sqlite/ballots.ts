import type { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type Ballot,
  type BallotFilter,
  expectedSumOf,
  hasExpectedSum,
  type Recount,
} from '../votes/vote-store.ts';
import { openDatabase } from './connection.ts';

const BALLOTS_PER_READ = 1_000;
/** So many ballots are counted at once, in an eighth of a millisecond: a vote may wait for that. */
const BALLOTS_PER_STEP = 250;

export async function* readBallots(
  database: DatabaseSync,
  only: BallotFilter = {},
): AsyncGenerator<Ballot> {
  // Pages through the ballots of all games, and filters here: with `WHERE game = ?`, one page of a rare game would scan
  // the whole table.
  const select = database.prepare(
    'SELECT id, game, at, voided FROM ballots WHERE id > ? ORDER BY id LIMIT ?',
  );
  // Arrays, which take half the time of objects.
  select.setReturnArrays(true);
  let last = '';
  let number = BALLOTS_PER_READ;
  while (number === BALLOTS_PER_READ) {
    const page = select.all(last, BALLOTS_PER_READ);
    for (const row of page) {
      const [id, game, at, voided] = Object.values(row);
      last = String(id);
      if (only.game !== undefined && game !== only.game) continue;
      if (only.voided !== undefined && voided !== only.voided) continue;
      const ballot = { id: last, game: String(game), at: Number(at) };
      yield voided === null ? ballot : { ...ballot, voided: String(voided) };
    }
    number = page.length;
    // At the desk, a server answers votes meanwhile.
    await setImmediate();
  }
}

/** Counts on a connection of its own, which sees one moment, and pauses for votes. */
export async function recountBeside(path: string): Promise<Recount[]> {
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

/**
 * Sets every sum, and the numbers of voided ballots, to what is stored. To be called in a transaction.
 *
 * @returns whether a sum is lower than before
 */
export function setSums(database: DatabaseSync): boolean {
  const set = database.prepare('UPDATE goty SET votos = ? WHERE id = ?');
  // What was moved in a freeze that is over, or of which no ballot is left.
  database.exec(
    `DELETE FROM moved WHERE freeze IS NOT (SELECT frozen_at FROM settings)
       OR NOT EXISTS (SELECT 1 FROM ballots WHERE ballots.freeze = moved.freeze)`,
  );
  let isLower = false;
  for (const count of recount(database)) {
    const sum = expectedSumOf(count);
    if (count.votos !== sum) set.run(sum, count.game);
    isLower ||= sum < (count.votos ?? 0);
  }
  database.exec(
    `DELETE FROM voids; INSERT INTO voids
       SELECT voided, count(*) FROM ballots WHERE voided IS NOT NULL GROUP BY voided`,
  );
  return isLower;
}

/** @throws if the file is corrupt, or a sum is not the number of its ballots */
export function checkSound(database: DatabaseSync) {
  const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok')
    throw new Error(`it is corrupt (${String(verdict).replaceAll(/\s+/g, ' ')})`);
  const wrong = recount(database).find((count) => !hasExpectedSum(count));
  if (wrong) {
    throw new Error(
      `${wrong.game} has ${wrong.votos ?? 'no'} votes, but ${expectedSumOf(wrong)} ballots: \`goty audit\` shows more, \`goty audit --repair\` mends it`,
    );
  }
}

/** What is stored for each game: its sum and its ballots. */
function recount(database: DatabaseSync): Recount[] {
  const counting = recounting(database);
  let step = counting.next();
  while (!step.done) step = counting.next();
  return step.value;
}

/** Counts that a page at a time. To be called in a transaction, which sees one moment. */
function* recounting(database: DatabaseSync): Generator<undefined, Recount[]> {
  const page = database.prepare(
    `SELECT game, max(id) AS last, count(*) FILTER (WHERE voided IS NULL) AS ballots,
       count(voided) AS voided,
       count(*) FILTER (WHERE voided IS NULL AND freeze = (SELECT frozen_at FROM settings)) AS hidden
     FROM (SELECT * FROM ballots WHERE id > ? ORDER BY id LIMIT ${BALLOTS_PER_STEP}) GROUP BY game`,
  );
  const none = { exists: false, votos: undefined, ballots: 0, voided: 0, hidden: 0, movedAway: 0 };
  const counts = new Map<unknown, Recount>();
  const games = database.prepare(
    `SELECT id, votos, coalesce(moved.ballots, 0) AS moved FROM goty
     LEFT JOIN moved ON game = id AND freeze = (SELECT frozen_at FROM settings)`,
  );
  for (const { id, votos, moved } of games.all()) {
    const sum = votos === null ? undefined : Number(votos);
    counts.set(id, {
      ...none,
      game: String(id),
      exists: true,
      votos: sum,
      movedAway: Number(moved),
    });
  }
  let last = '';
  let number = BALLOTS_PER_STEP;
  while (number === BALLOTS_PER_STEP) {
    number = 0;
    for (const row of page.all(last)) {
      const own = counts.get(row.game) ?? { ...none, game: String(row.game) };
      counts.set(row.game, {
        ...own,
        ballots: own.ballots + Number(row.ballots),
        voided: own.voided + Number(row.voided),
        hidden: own.hidden + Number(row.hidden),
      });
      if (String(row.last) > last) last = String(row.last);
      number += Number(row.ballots) + Number(row.voided);
    }
    yield;
  }
  return [...counts.values()].toSorted((a, b) => (a.game < b.game ? -1 : 1));
}
