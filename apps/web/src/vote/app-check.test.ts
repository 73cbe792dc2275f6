import { expect, test, vi } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import type { VoteResult } from './api.ts';
import { withAppCheck } from './app-check.ts';

const RESULT: VoteResult = { response: COUNTED, state: 'decided' };
const never = () => new Promise<never>(() => {});

test.each([
  ['with its token', async () => 'token', never, { 'X-Firebase-AppCheck': 'token' }],
  ['without one if there is none', async () => undefined, never, {}],
  ['without one if it fails', () => Promise.reject(new Error('blocked')), never, {}],
  ['without one if it takes too long', never, async () => {}, {}],
])('F11 a vote is sent %s', async (_how, getToken, wait, headers) => {
  const post = vi.fn(async () => RESULT);
  expect(await withAppCheck(post, getToken, wait)('a', 'key')).toEqual(RESULT);
  expect(post).toHaveBeenCalledExactlyOnceWith('a', 'key', headers);
});
