import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_DIGITS, CODE_LENGTH } from '@goty/shared/voting-code';
import { OperatorError } from '../runtime/operator-error.ts';
import {
  BALLOT_HASH_DIGITS,
  type Decide,
  type VoteStore,
  type VotingCodes,
} from '../votes/vote-store.ts';
import { newActId, noteOf } from './acts.ts';

// A code shows by itself that it was made here: a part of it follows from the rest and a key. So no list of codes is stored,
// and nothing has to be read for a vote.

const KEY_BYTES = 32;
/** A file from which another home knows the codes: how many were made, the key, and those that were revoked. */
const SAVED_KEY = /^goty-codes (\d{1,9}) ([0-9a-f]{64})((?: [0-9a-f]{64})*)\n?$/;

/** Whether a code is of this vote: 'wrong' if it was never made, 'revoked' if the operator has ended it. */
export function statusOfCode(codes: VotingCodes, code: string): 'valid' | 'wrong' | 'revoked' {
  const random = code.slice(0, CODE_LENGTH.random);
  const right = Buffer.from(random + checkDigitsOf(codes.key, random));
  // The comparison takes the same time, however many digits are right.
  if (!timingSafeEqual(right, Buffer.from(code))) return 'wrong';
  return codes.revoked.includes(digestOfRevoked(codes.key, code)) ? 'revoked' : 'valid';
}

/** Returns the id of the ballot of a code in a vote. Without the key, nobody finds a ballot by its code (SPEC V18). */
export function ballotIdOfCode({ key }: VotingCodes, voteId: string, code: string): string {
  const digest = digestOf(key, `ballot ${voteId} ${code}`).toString('hex');
  return voteId + digest.slice(0, BALLOT_HASH_DIGITS);
}

/**
 * Makes codes, and their key, if there is none yet.
 *
 * @returns the codes, which are stored nowhere
 */
export async function makeCodes(store: VoteStore, count: number): Promise<string[]> {
  const newKey = randomBytes(KEY_BYTES).toString('hex');
  const note = noteOf('command', { what: 'codes', codes: count });
  let key = newKey;
  await store.change(({ codes }, now) => {
    const { made, revoked, ...before } = codes ?? { key: newKey, made: 0, revoked: [] };
    key = before.key;
    return { codes: { key, made: made + count, revoked }, acts: note(now) };
  });
  const made = new Set<string>();
  while (made.size < count) made.add(newVotingCode(key));
  return [...made];
}

/**
 * Ends one code: once every server has heard of it, it votes nowhere.
 *
 * @throws OperatorError if it is no code of this vote
 */
export function revokeCode(code: string): Decide {
  const note = noteOf('command', { what: 'revoke-code' });
  return ({ codes }, now) => {
    const status = codes ? statusOfCode(codes, code) : 'wrong';
    if (!codes || status === 'wrong') throw new OperatorError('There is no such code.');
    if (status === 'revoked') return {};
    const revoked = [...codes.revoked, digestOfRevoked(codes.key, code)];
    return { codes: { ...codes, revoked }, acts: note(now) };
  };
}

/**
 * Voids the vote of a code, if it has one that counts. The record does not say for which game it was.
 *
 * @returns whether it had one
 */
export async function voidVoteOfCode(store: VoteStore, code: string): Promise<boolean> {
  const { codes, voteId } = await store.state();
  if (!codes) return false;
  const id = ballotIdOfCode(codes, voteId, code);
  for await (const ballot of store.ballots()) {
    if (ballot.id !== id || ballot.voided !== undefined) continue;
    const act = newActId();
    const changed = await store.change((_, at) => {
      const ranges = [{ from: ballot.at, to: ballot.at + 1 }];
      const actsOf = () =>
        [{ id: act, at, by: 'command', what: 'void', votes: 1, ranges }] as const;
      return { ballots: { group: [ballot], to: { voidedBy: act }, actsOf } };
    });
    return changed > 0;
  }
  return false;
}

/** Ends all codes. Without the key, nothing that is stored leads from a code to its ballot. */
export function endCodes(): Decide {
  const note = noteOf('command', { what: 'end-codes' });
  return ({ codes }, now) => (codes ? { codes: null, acts: note(now) } : {});
}

/** Returns what `useSavedKey` reads. */
export function keyToSave({ made, key, revoked }: VotingCodes): string {
  return `${['goty-codes', made, key, ...revoked].join(' ')}\n`;
}

/**
 * Lets codes vote here that were made elsewhere.
 *
 * @param text what `keyToSave` returned there
 * @throws OperatorError if the text is something else, or its key would end the codes that there are
 */
export function useSavedKey(text: string): Decide {
  const [, made, key, revoked = ''] = SAVED_KEY.exec(text) ?? [];
  if (key === undefined) throw new OperatorError('That is no file of `goty codes --save-key`.');
  const saved = { key, made: Number(made), revoked: revoked.split(' ').slice(1) };
  const note = noteOf('command', { what: 'codes', codes: saved.made });
  return ({ codes }, now) => {
    if (codes?.key === key) return {};
    if (codes)
      throw new OperatorError('There are codes with another key: `goty codes --end` ends them.');
    return { codes: saved, acts: note(now) };
  };
}

function newVotingCode(key: string): string {
  const digit = () => CODE_DIGITS[randomInt(CODE_DIGITS.length)];
  const random = Array.from({ length: CODE_LENGTH.random }, digit).join('');
  return random + checkDigitsOf(key, random);
}

function checkDigitsOf(key: string, random: string): string {
  const bytes = digestOf(key, `code ${random}`).subarray(0, CODE_LENGTH.check);
  return Array.from(bytes, (byte) => CODE_DIGITS[byte % CODE_DIGITS.length]).join('');
}

/** What is kept of a code that was revoked. */
function digestOfRevoked(key: string, code: string): string {
  return digestOf(key, `revoked ${code}`).toString('hex');
}

function digestOf(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
