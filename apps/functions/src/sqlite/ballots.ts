import type { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Ballot } from '../votes/ballot.ts';
import {
  type BallotFilter,
  faultOfSum,
  type Recount,
  sumsAfterRecount,
} from '../votes/vote-store.ts';
import { openDatabase } from './connection.ts';

const BALLOTS_PER_READ = 1_000;
/** How many ballots are counted at once, in an eighth of a millisecond: a vote may wait that long. */
const BALLOTS_PER_STEP = 250;

export async function* readBallots(
  database: DatabaseSync,
  only: BallotFilter = {},
): AsyncGenerator<Ballot> {
  // The filter is here, because with `WHERE game = ?` a page of a rare game would scan the whole table, and votes would wait.
  const select = database.prepare(
    'SELECT id, game, at, voided FROM ballots WHERE id > ? ORDER BY id LIMIT ?',
  );
  // Rows as arrays take half the time of rows as objects.
  select.setReturnArrays(true);
  let last = '';
  let number = BALLOTS_PER_READ;
  while (number === BALLOTS_PER_READ) {
    const page = select.all(last, BALLOTS_PER_READ);
    for (const row of page) {
      const [id, game, at, voided] = Object.values(row);
      last = String(id);
      if (only.id !== undefined && last !== only.id) continue;
      if (only.game !== undefined && game !== only.game) continue;
      if (only.voided !== undefined && voided !== only.voided) continue;
      const ballot = { id: last, game: String(game), at: Number(at) };
      yield voided === null ? ballot : { ...ballot, voided: String(voided) };
    }
    number = page.length;
    // When the desk asks for the ballots, the server answers votes between two pages.
    await setImmediate();
  }
}

/** Recounts on a connection of its own, in a transaction that sees one moment, with pauses in which the server answers votes. */
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

/** Sets every sum, in a transaction of the caller. Returns whether fewer votes of a game are shown than before. */
export function setSums(database: DatabaseSync, isFrozen: boolean): boolean {
  const set = database.prepare('UPDATE goty SET votos = ?, hidden = ? WHERE id = ?');
  let isLower = false;
  for (const count of recount(database)) {
    const { votos, hidden } = sumsAfterRecount(count, isFrozen);
    if (count.votos !== votos || count.hidden !== hidden) set.run(votos, hidden, count.game);
    isLower ||= votos < (count.votos ?? 0);
  }
  return isLower;
}

/** @throws if the file is corrupt, or the sums of a game do not fit its ballots */
export function checkSound(database: DatabaseSync) {
  const verdict = database.prepare('PRAGMA quick_check(1)').get()?.quick_check;
  if (verdict !== 'ok')
    throw new Error(`it is corrupt (${String(verdict).replaceAll(/\s+/g, ' ')})`);
  for (const count of recount(database)) {
    const fault = faultOfSum(count);
    if (fault === undefined) continue;
    throw new Error(`${fault}. \`goty audit\` shows all, \`goty audit --repair\` mends it`);
  }
}

function recount(database: DatabaseSync): Recount[] {
  const counting = recounting(database);
  let step = counting.next();
  while (!step.done) step = counting.next();
  return step.value;
}

/** Does the work of `recount`, a page at a time. To be called in a transaction, so that all pages are of one moment. */
function* recounting(database: DatabaseSync): Generator<undefined, Recount[]> {
  const page = database.prepare(
    `SELECT game, max(id) AS last, count(*) FILTER (WHERE voided IS NULL) AS ballots,
       count(voided) AS voided
     FROM (SELECT * FROM ballots WHERE id > ? ORDER BY id LIMIT ${BALLOTS_PER_STEP}) GROUP BY game`,
  );
  const none = { exists: false, votos: undefined, hidden: 0, ballots: 0, voided: 0 };
  const counts = new Map<unknown, Recount>();
  for (const { id, votos, hidden } of database.prepare('SELECT * FROM goty').all()) {
    const sums = { votos: votos === null ? undefined : Number(votos), hidden: Number(hidden) };
    counts.set(id, { ...none, game: String(id), exists: true, ...sums });
  }
  let last = '';
  let number = BALLOTS_PER_STEP;
  while (number === BALLOTS_PER_STEP) {
    number = 0;
    for (const row of page.all(last)) {
      const own = counts.get(row.game) ?? { ...none, game: String(row.game) };
      const voided = Number(row.voided);
      counts.set(row.game, {
        ...own,
        ballots: own.ballots + Number(row.ballots) + (own.exists ? 0 : voided),
        voided: own.voided + (own.exists ? voided : 0),
      });
      if (String(row.last) > last) last = String(row.last);
      number += Number(row.ballots) + Number(row.voided);
    }
    yield;
  }
  return [...counts.values()].toSorted((a, b) => (a.game < b.game ? -1 : 1));
}
