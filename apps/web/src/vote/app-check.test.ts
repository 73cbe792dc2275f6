import { expect, test, vi } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import type { VoteResult } from './api.ts';
import { withAppCheck } from './app-check.ts';

const RESULT: VoteResult = { response: COUNTED, state: 'decided' };

/** Votes once, and returns the arguments of the request. */
async function postWith(
  getToken: () => Promise<string | undefined>,
  wait: () => Promise<void> = never,
) {
  const post = vi.fn(async () => RESULT);
  expect(await withAppCheck(post, getToken, wait)('a', 'key')).toEqual(RESULT);
  expect(post).toHaveBeenCalledOnce();
  return post.mock.calls[0];
}

function never(): Promise<never> {
  return new Promise(() => {});
}

test('F11 a vote is sent with its token', async () => {
  const sent = await postWith(async () => 'token');
  expect(sent).toEqual(['a', 'key', { 'X-Firebase-AppCheck': 'token' }]);
});

test.each([
  ['there is none', async () => undefined, never],
  ['it fails', () => Promise.reject(new Error('reCAPTCHA was blocked')), never],
  ['it takes too long', never, async () => {}],
])('F11 a vote is sent without a token if %s', async (_what, getToken, wait) => {
  expect(await postWith(getToken, wait)).toEqual(['a', 'key', {}]);
});
