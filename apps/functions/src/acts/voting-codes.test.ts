import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isId } from '@goty/shared/protocol';
import { SEED } from '@goty/shared/testing/seed';
import { CODE_DIGITS } from '@goty/shared/voting-code';
import { expect, test } from 'vitest';
import { openServerStore, testDatabase } from '../../testing/sqlite.ts';
import type { CodeKey, VoteStore } from '../votes/vote-store.ts';
import { noteReset } from './acts.ts';
import { changeDeskKeys } from './desk-keys.ts';
import {
  ballotIdOfCode,
  endCodes,
  keyToSave,
  makeCodes,
  revokeCode,
  statusOfCode,
  takeSavedKey,
  voidVoteOfCode,
} from './voting-codes.ts';

async function setUp(count: number) {
  const store = openServerStore(testDatabase().path);
  const codes = await makeCodes(store, count);
  return { store, codes, known: await knownCodes(store) };
}

async function knownCodes(store: VoteStore): Promise<CodeKey> {
  const { codeKey } = await store.state();
  if (!codeKey) throw new Error('there are no codes');
  return codeKey;
}

test('V17 each code is valid for its vote alone, and no other digits are', async () => {
  const { codes, known } = await setUp(300);
  expect(new Set(codes).size).toBe(300);
  expect(codes.map((code) => statusOfCode(known, code))).toEqual(Array(300).fill('valid'));
  const other = (await setUp(1)).known;
  expect(codes.map((code) => statusOfCode(other, code))).toEqual(Array(300).fill('wrong'));
  // Any one digit that was typed wrong, and any two that were swapped.
  const [code = ''] = codes;
  for (let at = 0; at < code.length; at += 1) {
    const [a = '', b = ''] = code.slice(at);
    const digit = a === '7' ? '8' : '7';
    expect(statusOfCode(known, code.slice(0, at) + digit + code.slice(at + 1))).toBe('wrong');
    const swapped = code.slice(0, at) + b + a + code.slice(at + 2);
    if (swapped !== code) expect(statusOfCode(known, swapped)).toBe('wrong');
  }
});

test('V17 of 10,000 codes that were made up none is valid', async () => {
  const { known } = await setUp(1);
  let state = SEED;
  const digit = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return CODE_DIGITS[state >>> 27];
  };
  const made = Array.from({ length: 10_000 }, () => Array.from({ length: 16 }, digit).join(''));
  expect(made.filter((code) => statusOfCode(known, code) !== 'wrong')).toEqual([]);
});

test('V18 a ballot of a code has an id for each vote, which nobody finds without the key', async () => {
  const { codes, known } = await setUp(300);
  const ids = codes.map((code) => ballotIdOfCode(known, 'v1', code));
  expect(new Set(ids).size).toBe(300);
  expect(ids.every(isId)).toBe(true);
  const [code = ''] = codes;
  expect(ballotIdOfCode(known, 'v1', code)).toBe(ids[0]);
  expect(ids).not.toContain(ballotIdOfCode(known, 'v2', code));
  expect(ids).not.toContain(ballotIdOfCode({ ...known, key: 'f'.repeat(64) }, 'v1', code));
});

test('V17 O21 further codes stand beside earlier ones, and a reset or the end of the desk ends none', async () => {
  const { store, codes, known } = await setUp(2);
  const [later = ''] = await makeCodes(store, 1);
  await store.change(noteReset(0));
  await store.change(changeDeskKeys((keys) => ({ ...keys, codes: [] })));
  const now = await knownCodes(store);
  expect(now).toEqual({ ...known, made: 3 });
  expect([...codes, later].map((code) => statusOfCode(now, code))).toEqual(Array(3).fill('valid'));
});

test('V18 O21 once all codes have ended none is known, and only their saved key brings them back', async () => {
  const { store, known } = await setUp(2);
  const saved = keyToSave(known);
  await store.change(endCodes());
  await store.change(endCodes());
  expect((await store.state()).codeKey).toBeUndefined();
  const [other = ''] = await makeCodes(store, 1);
  expect(statusOfCode(known, other)).toBe('wrong');
  await expect(store.change(takeSavedKey(saved))).rejects.toThrow(/with another key/);
  await store.change(endCodes());
  await store.change(takeSavedKey(saved));
  await store.change(takeSavedKey(saved));
  expect(await knownCodes(store)).toEqual(known);
  const acts = (await store.record()).map(({ what, codes }) => [what, codes]);
  expect(acts).toEqual([
    ['codes', 2],
    ['end-codes', undefined],
    ['codes', 1],
    ['end-codes', undefined],
    ['codes', 2],
  ]);
});

test.each(['', 'goty-codes', `goty-codes 1 ${'g'.repeat(64)}`, `goty-codes 1 ${'0'.repeat(65)}`])(
  'O21 what is no saved key is refused: %j',
  (text) => {
    expect(() => takeSavedKey(text)).toThrow(/--save-key/);
  },
);

test('V18 O21 a code is revoked with its vote, and nothing says for which game that was', async () => {
  const { store, codes, known } = await setUp(2);
  const [lost = '', kept = ''] = codes;
  const { voteId } = await store.state();
  const ballots = [lost, kept].map((code) => ({
    id: ballotIdOfCode(known, voteId, code),
    game: 'a',
    at: 5,
  }));
  await store.commit(ballots);
  await store.change(revokeCode(lost));
  await store.change(revokeCode(lost));
  expect(await voidVoteOfCode(store, lost)).toBe(true);
  expect(await voidVoteOfCode(store, lost)).toBe(false);
  const now = await knownCodes(store);
  expect([lost, kept].map((code) => statusOfCode(now, code))).toEqual(['revoked', 'valid']);
  expect((await store.games()).map(({ votos }) => votos)).toEqual([1]);
  const acts = (await store.record()).slice(1);
  expect(acts).toMatchObject([{ what: 'revoke-code' }, { what: 'void', votes: 1 }]);
  expect(JSON.stringify(acts)).not.toContain('"a"');
  expect(await store.voids()).toMatchObject([{ act: acts[1]?.id, votes: 1 }]);
  // It stays revoked where its key is taken along.
  await store.change(endCodes());
  await store.change(takeSavedKey(keyToSave(now)));
  expect(statusOfCode(await knownCodes(store), lost)).toBe('revoked');
});

test('O21 what is no code of this vote cannot be revoked', async () => {
  const { store } = await setUp(1);
  const refused = /^There is no such code\.$/;
  await expect(store.change(revokeCode('0'.repeat(16)))).rejects.toThrow(refused);
  await store.change(endCodes());
  await expect(store.change(revokeCode('0'.repeat(16)))).rejects.toThrow(refused);
});

test('V18 once the codes and the server have ended, the database files have no key', async () => {
  const { folder, path } = testDatabase();
  const store = openServerStore(path);
  // So many that what is kept of them fills several pages of the file.
  const codes = await makeCodes(store, 200);
  for (const code of codes) await store.change(revokeCode(code));
  const { key } = await knownCodes(store);
  await store.close();
  const hasKey = () =>
    readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(key));
  expect(hasKey()).toBe(true);
  const again = openServerStore(path);
  await again.change(endCodes());
  await again.close();
  expect(hasKey()).toBe(false);
});
