import type { DatabaseSync } from 'node:sqlite';
import type { Recount } from '../votes/vote-store.ts';

/** What is stored for each game: its sum and its ballots. */
export function recount(database: DatabaseSync): Recount[] {
  const rows = database.prepare(
    `WITH counts AS MATERIALIZED (
       SELECT game,
         count(*) FILTER (WHERE NOT voided) AS ballots,
         count(*) FILTER (WHERE voided) AS voided,
         count(*) FILTER (WHERE NOT voided AND freeze = (SELECT frozen_at FROM settings)) AS held
       FROM ballots GROUP BY game
     )
     SELECT coalesce(goty.id, counts.game) AS game, goty.id IS NOT NULL AS is_game, votos,
            coalesce(ballots, 0) AS ballots, coalesce(voided, 0) AS voided,
            coalesce(held, 0) AS held
     FROM goty FULL JOIN counts ON counts.game = goty.id ORDER BY 1`,
  );
  return rows.all().map(({ game, is_game, votos, ballots, voided, held }) => ({
    game: String(game),
    exists: is_game === 1,
    votos: votos === null ? undefined : Number(votos),
    ballots: Number(ballots),
    voided: Number(voided),
    held: Number(held),
  }));
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
