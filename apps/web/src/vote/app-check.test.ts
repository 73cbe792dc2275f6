import { expect, test, vi } from 'vitest';
import { appCheckHeaders } from './app-check.ts';

const TOKEN = { 'X-Firebase-AppCheck': 'token' };

test.each([
  ['with its token', async () => 'token', TOKEN],
  ['without one if there is none', async () => undefined, {}],
  ['without one if it fails', () => Promise.reject(new Error('blocked')), {}],
  ['without one if it takes too long', () => new Promise<never>(() => {}), {}],
])('F11 a vote is sent %s', async (_how, getToken, headers) => {
  vi.useFakeTimers();
  const asked = appCheckHeaders(getToken);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await asked).toEqual(headers);
});
