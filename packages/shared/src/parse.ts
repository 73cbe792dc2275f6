import * as v from 'valibot';
import type { Nominee, Standing, VoteResponse } from './game.ts';

const nominees = v.array(v.object({ id: v.string(), name: v.string(), url: v.string() }));

const standings = v.array(
  v.object({ id: v.string(), name: v.string(), votos: v.optional(v.unknown()) }),
);

const voteResponse = v.object({ ok: v.boolean(), mensaje: v.pipe(v.string(), v.nonEmpty()) });

/** The nominee list in an answer's body, or `undefined` where it is anything else. */
export function parseNominees(body: unknown): Nominee[] | undefined {
  const result = v.safeParse(nominees, body);
  return result.success ? result.output : undefined;
}

/** The standing in a live event, or `undefined` where it is anything else. */
export function parseStandings(body: unknown): Standing[] | undefined {
  const result = v.safeParse(standings, body);
  if (!result.success) return undefined;
  return result.output.map((game) => ({ ...game, votos: wholeVotes(game.votos) ?? 0 }));
}

/** The answer to a vote, or `undefined` for a body that says nothing usable (SPEC C8). */
export function parseVoteResponse(body: unknown): VoteResponse | undefined {
  const result = v.safeParse(voteResponse, body);
  return result.success ? result.output : undefined;
}

/** A stored vote count, or `undefined` where it is absent or not a whole number (SPEC C14). */
export function wholeVotes(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
