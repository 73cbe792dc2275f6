import { isId } from '@goty/shared/ids';
import type { Nominee } from '@goty/shared/nominee';
import * as v from 'valibot';
import { nomineeSchema } from '../src/operator/nominees-file.ts';
import type { StoreState, VoteTimes } from '../src/votes/vote-store.ts';

// A vote as a file with one JSON object in each line: first nominees and times, then each ballot,
// and at the end the number of ballots and the SHA-256 of all lines before. The sums are left out,
// because they follow from the ballots.

export const VERSION = 1;

/** The last millisecond of the year 9999. */
export const MAX_TIME = 253_402_300_799_999;

const time = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_TIME));
export const headerSchema = v.pipe(
  v.strictObject({
    goty: v.literal('vote'),
    version: v.literal(VERSION, 'it comes from another version of GOTY'),
    opensAt: v.optional(time),
    closesAt: v.optional(time),
    frozenAt: v.optional(time),
    nominees: v.pipe(v.array(nomineeSchema), v.readonly()),
  }),
  v.check(
    ({ opensAt, closesAt }) =>
      opensAt === undefined || closesAt === undefined || opensAt < closesAt,
    'the vote would close before it opens',
  ),
);
const id = v.pipe(v.string(), v.check(isId));
export const ballotSchema = v.strictObject({
  id,
  game: id,
  at: time,
  voided: v.exactOptional(v.literal(true)),
});
export const endSchema = v.strictObject({ ballots: v.number(), sha256: v.string() });

/** What a vote is, without its ballots. */
export interface VoteHeader extends VoteTimes, Pick<StoreState, 'frozenAt'> {
  readonly nominees: readonly Nominee[];
}

export interface VoteSummary extends VoteHeader {
  readonly ballots: number;
}
