import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_NAME } from '@goty/shared/protocol';
import { CODE_DIGITS, CODE_LENGTH, formatVotingCode } from '@goty/shared/voting-code';
import { OperatorError } from '../runtime/operator-error.ts';
import { BALLOT_HASH_DIGITS } from '../votes/ballot.ts';
import type { CodeKey, Decide, VoteStore } from '../votes/vote-store.ts';
import { createActMaker, newActId } from './acts.ts';

// A part of a code follows from the rest and a key, so no list of codes is stored, and a vote reads nothing.

const KEY_BYTES = 32;
const MINUTE_MS = 60_000;
/** The file that brings the codes to another home: how many were made, their key, and digests of revoked codes. */
const SAVED_KEY = /^goty-codes (\d{1,9}) ([0-9a-f]{64})((?: [0-9a-f]{64})*)\s*$/;

/** A code is 'wrong' if it is of another key or `codes --end` has ended it, and 'revoked' after `codes --revoke`. */
export function statusOfCode(codeKey: CodeKey, code: string): 'valid' | 'wrong' | 'revoked' {
  const random = code.slice(0, CODE_LENGTH.random);
  const right = Buffer.from(random + checkDigitsOf(codeKey.key, random));
  // The comparison takes the same time, however many digits are right, so nobody can guess a code digit by digit.
  if (!timingSafeEqual(right, Buffer.from(code))) return 'wrong';
  return codeKey.revoked.includes(digestOfRevoked(codeKey.key, code)) ? 'revoked' : 'valid';
}

/** Returns the id of the ballot of a code in a vote. Without the key, nobody finds a ballot by its code (SPEC V18). */
export function ballotIdOfCode({ key }: CodeKey, voteId: string, code: string): string {
  const digest = digestOf(key, `ballot ${voteId} ${code}`).toString('hex');
  return voteId + digest.slice(0, BALLOT_HASH_DIGITS);
}

/** Returns the link that opens goty with a code. No server on the way sees what is behind the number sign. */
export function linkOfCode(origin: string, code: string): string {
  return `${origin}/goty#${CODE_NAME}=${formatVotingCode(code)}`;
}

/** @param write keeps the codes, which are stored nowhere. If it throws, no codes are counted as made. */
export async function makeCodes(
  store: VoteStore,
  count: number,
  write: (codes: readonly string[]) => void = () => {},
): Promise<readonly string[]> {
  let codeKey: CodeKey = { key: newKey(), made: 0, revoked: [] };
  const first = codeKey;
  await store.change((settings) => {
    codeKey = settings.codeKey ?? first;
    return settings.codeKey ? {} : { codeKey };
  });
  const { key } = codeKey;
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newVotingCode(key));
  write([...codes]);
  const makeActs = createActMaker('command', { what: 'codes', codes: count });
  await store.change(({ codeKey: now }, at) => {
    if (now?.key !== key)
      throw new OperatorError('All codes were ended meanwhile: make them again.');
    return { codeKey: { ...now, made: now.made + count }, acts: makeActs(at) };
  });
  return [...codes];
}

/**
 * Nobody can vote with the code once every server has heard of the change.
 *
 * @throws OperatorError if no such code was made for this vote
 */
export function revokeCode(code: string): Decide {
  const makeActs = createActMaker('command', { what: 'revoke-code' });
  return ({ codeKey }, now) => {
    const status = codeKey ? statusOfCode(codeKey, code) : 'wrong';
    if (!codeKey || status === 'wrong') throw new OperatorError('There is no such code.');
    if (status === 'revoked') return {};
    const revoked = [...codeKey.revoked, digestOfRevoked(codeKey.key, code)];
    return { codeKey: { ...codeKey, revoked }, acts: makeActs(now) };
  };
}

/** Returns whether a vote was voided. The record tells only its minute: by the second, the chart would tell the game. */
export async function voidVoteOfCode(store: VoteStore, code: string): Promise<boolean> {
  const { codeKey, voteId } = await store.state();
  if (!codeKey) return false;
  const id = ballotIdOfCode(codeKey, voteId, code);
  for await (const ballot of store.ballots({ id })) {
    if (ballot.voided !== undefined) return false;
    const act = newActId();
    const from = ballot.at - (ballot.at % MINUTE_MS);
    const ranges = [{ from, to: from + MINUTE_MS }];
    const changed = await store.change((_, at) => {
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
  const makeActs = createActMaker('command', { what: 'end-codes' });
  return ({ codeKey }, now) => (codeKey ? { codeKey: null, acts: makeActs(now) } : {});
}

/** Returns what `takeSavedKey` reads. */
export function keyToSave({ made, key, revoked }: CodeKey): string {
  return `${['goty-codes', made, key, ...revoked].join(' ')}\n`;
}

/**
 * Makes codes of another home valid here. If their key is known already, codes that were made or revoked since are added.
 *
 * @throws OperatorError if the text is not from `keyToSave`, or its key would end the codes that there are
 */
export function takeSavedKey(text: string): Decide {
  const [, made, key, digests = ''] = SAVED_KEY.exec(text) ?? [];
  if (key === undefined) throw new OperatorError('That is no file of `goty codes --save-key`.');
  const saved = { key, made: Number(made), revoked: digests.split(' ').slice(1) };
  const makeActs = createActMaker('command', { what: 'codes', codes: saved.made });
  return ({ codeKey }, now) => {
    if (!codeKey) return { codeKey: saved, acts: makeActs(now) };
    if (codeKey.key !== key)
      throw new OperatorError('There are codes with another key: `goty codes --end` ends them.');
    const revoked = [...new Set([...codeKey.revoked, ...saved.revoked])];
    const all = { key, made: Math.max(codeKey.made, saved.made), revoked };
    const isSame = all.made === codeKey.made && revoked.length === codeKey.revoked.length;
    return isSame ? {} : { codeKey: all, acts: makeActs(now) };
  };
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('hex');
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

/** Returns what is kept of a code that was revoked: a digest, so that nobody can read the code from it. */
function digestOfRevoked(key: string, code: string): string {
  return digestOf(key, `revoked ${code}`).toString('hex');
}

function digestOf(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
