import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  addSumChange,
  movedBallot,
  noSumChanges,
  outcomeBeside,
  type SumChanges,
} from '../votes/sums.ts';
import type { Ballot, BallotOutcome, CastBallot } from '../votes/vote-store.ts';

/** Returns what stores a group of ballots, to be called in a transaction. It tells the number of the commit, if it wrote. */
export function groupWriter(database: DatabaseSync) {
  const selectFreeze = database.prepare('SELECT frozen_at FROM settings');
  const selectGame = database.prepare('SELECT 1 FROM goty WHERE id = ?');
  const selectBallot = database.prepare('SELECT id, game, at, voided FROM ballots WHERE id = ?');
  const insertBallot = database.prepare(
    'INSERT INTO ballots (id, game, at, voided) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const updateBallot = database.prepare('UPDATE ballots SET game = ?, at = ? WHERE id = ?');
  const writeSums = sumWriter(database);
  const nextCommit = database.prepare(
    'UPDATE settings SET commits = commits + 1 RETURNING commits',
  );

  return (ballots: readonly CastBallot[]) => {
    const sums = noSumChanges();
    const knownGames = new Set<string>();
    const frozenAt = timeOf(selectFreeze.get()?.frozen_at);
    const outcomes = ballots.map((ballot) => {
      const { game } = ballot;
      if (!knownGames.has(game) && !selectGame.get(game)) return 'unknown-game';
      knownGames.add(game);
      return storeBallot(ballot, frozenAt, sums);
    });
    writeSums(sums);
    const hasWritten = outcomes.some((outcome) => outcome === 'counted' || outcome === 'moved');
    return { outcomes, number: hasWritten ? Number(nextCommit.get()?.commits) : undefined };
  };

  /** Stores one ballot, for a game that exists, and adds what that changes to `sums`. */
  function storeBallot(
    ballot: CastBallot,
    frozenAt: number | undefined,
    sums: SumChanges,
  ): BallotOutcome {
    const { id, game, at, voided } = ballot;
    if (insertBallot.run(id, game, at, voided ?? null).changes === 1) {
      addSumChange(sums, undefined, ballot, frozenAt);
      return 'counted';
    }
    const stored = toBallot(selectBallot.get(id));
    const outcome = outcomeBeside(stored, ballot);
    if (outcome !== 'moved') return outcome;
    const moved = movedBallot(stored, ballot);
    updateBallot.run(moved.game, moved.at, id);
    addSumChange(sums, stored, moved, frozenAt);
    return outcome;
  }
}

/** Returns what changes the sums of games that exist, to be called in a transaction. It tells whether fewer votes are shown. */
export function sumWriter(database: DatabaseSync) {
  const addVotes = {
    votos: database.prepare('UPDATE goty SET votos = votos + ?, writes = writes + 1 WHERE id = ?'),
    hidden: database.prepare('UPDATE goty SET hidden = hidden + ? WHERE id = ?'),
  };
  return (sums: SumChanges): boolean => {
    for (const sum of ['votos', 'hidden'] as const) {
      for (const [game, votes] of sums[sum]) if (votes !== 0) addVotes[sum].run(votes, game);
    }
    return sums.votos.values().some((votes) => votes < 0);
  };
}

export function toBallot(row: Record<string, SQLOutputValue> = {}): Ballot {
  const { id, game, at, voided } = row;
  const ballot = { id: String(id), game: String(game), at: Number(at) };
  return typeof voided === 'string' ? { ...ballot, voided } : ballot;
}

export function timeOf(value: SQLOutputValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
