import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { moveOf } from '../votes/move.ts';
import type { BallotOutcome, CastBallot } from '../votes/vote-store.ts';

export const ADD_VOTES = 'UPDATE goty SET votos = votos + ? WHERE id = ?';
/** Changes the number of ballots that an act has voided. */
export const ADD_VOIDED = `INSERT INTO voids (act, ballots) VALUES (?, ?)
  ON CONFLICT (act) DO UPDATE SET ballots = ballots + excluded.ballots`;

/** Returns what stores a group of ballots, to be called in a transaction. It tells the number of the commit, if it wrote. */
export function groupWriter(database: DatabaseSync) {
  const selectFreeze = database.prepare('SELECT frozen_at FROM settings');
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const insertBallot = database.prepare(
    'INSERT INTO ballots (id, game, at, voided, freeze) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const moveBallot = ballotMover(database);
  const addVotes = database.prepare(ADD_VOTES);
  const addVoided = database.prepare(ADD_VOIDED);
  const nextCommit = database.prepare(
    'UPDATE settings SET commits = commits + 1 RETURNING commits',
  );

  return (ballots: readonly CastBallot[]) => {
    const votes = new Map<string, number>();
    const frozenAt = timeOf(selectFreeze.get()?.frozen_at);
    const outcomes = ballots.map((ballot) => storeBallot(ballot, frozenAt, votes));
    for (const [game, count] of votes) if (count !== 0) addVotes.run(count, game);
    return { outcomes, number: votes.size > 0 ? Number(nextCommit.get()?.commits) : undefined };
  };

  /** Stores one ballot and, if it counts or is moved, adds it to `votes`, which then has its game in any case. */
  function storeBallot(
    ballot: CastBallot,
    frozenAt: number | undefined,
    votes: Map<string, number>,
  ): BallotOutcome {
    const { id, game, at, voided } = ballot;
    if (!votes.has(game) && !selectGame.get(game)) return 'unknown-game';
    const freeze = frozenAt !== undefined && at >= frozenAt ? frozenAt : null;
    if (insertBallot.run(id, game, at, voided ?? null, freeze).changes === 1) {
      if (voided !== undefined) addVoided.run(voided, 1);
      const isInSum = voided === undefined && freeze === null;
      votes.set(game, (votes.get(game) ?? 0) + Number(isInSum));
      return 'counted';
    }
    return moveBallot(ballot, frozenAt, votes);
  }
}

/** Returns what moves the ballot that is stored with an id, if that is the one to be replaced. */
function ballotMover(database: DatabaseSync) {
  const selectBallot = database.prepare(
    'SELECT game, at, voided, freeze FROM ballots WHERE id = ?',
  );
  const updateBallot = database.prepare(
    'UPDATE ballots SET game = ?, at = ?, freeze = ? WHERE id = ?',
  );
  const leaveVote = database.prepare(
    `INSERT INTO moved (game, freeze, ballots) VALUES (?, ?, 1)
     ON CONFLICT (game, freeze) DO UPDATE SET ballots = ballots + 1`,
  );

  return (
    ballot: CastBallot,
    frozenAt: number | undefined,
    votes: Map<string, number>,
  ): BallotOutcome => {
    const { id, game } = ballot;
    const ballotRow = selectBallot.get(id);
    const storedBallot = {
      game: String(ballotRow?.game),
      at: Number(ballotRow?.at),
      isVoided: ballotRow?.voided !== null,
      freeze: timeOf(ballotRow?.freeze),
    };
    const move = moveOf(storedBallot, ballot, frozenAt);
    if (move.outcome !== 'moved') return move.outcome;
    const { at, freeze = null, loss, gain, staysInSum } = move;
    updateBallot.run(game, at, freeze, id);
    if (staysInSum) leaveVote.run(storedBallot.game, freeze);
    votes.set(storedBallot.game, (votes.get(storedBallot.game) ?? 0) - loss);
    votes.set(game, (votes.get(game) ?? 0) + gain);
    return move.outcome;
  };
}

export function timeOf(value: SQLOutputValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
