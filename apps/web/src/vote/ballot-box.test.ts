import { expect, test, vi } from 'vitest';
import { createBallotBox, type ShowOutcome } from './ballot-box.ts';
import { storedLastVote } from './last-vote.ts';

test('W9 a counted vote is saved before its dialog has loaded', async () => {
  localStorage.clear();
  const dialog = Promise.withResolvers<ShowOutcome>();
  const ballots = createBallotBox({
    vote: async () => ({ ok: true, mensaje: 'Contado' }),
    loadDialog: () => dialog.promise,
    lastVote: storedLastVote,
  });
  const first = ballots.cast('hades-2');
  await vi.waitFor(() => expect(storedLastVote.read()).toBe('hades-2'));
  expect(ballots.state.get()).toEqual({ voting: 'hades-2', lastVote: 'hades-2' });
  await ballots.cast('blue-prince');
  expect(storedLastVote.read()).toBe('hades-2');
  dialog.resolve(async () => {});
  await first;
  expect(ballots.state.get()).toEqual({ voting: undefined, lastVote: 'hades-2' });
});
