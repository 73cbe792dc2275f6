import { waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { COUNTED } from '../../testing/builders.ts';
import { createLastVote } from '../base/last-vote.ts';
import { createBallotBox, type ShowOutcome } from './ballot-box.ts';

test('W9 a counted vote is saved before its dialog has loaded', async () => {
  const lastVote = createLastVote();
  const dialog = Promise.withResolvers<ShowOutcome>();
  const ballots = createBallotBox({
    vote: async () => COUNTED,
    loadDialog: () => dialog.promise,
    lastVote,
  });
  const first = ballots.cast('hades-2');
  await waitFor(() => expect(lastVote.get()).toBe('hades-2'));
  expect(ballots.voting.get()).toBe('hades-2');
  await ballots.cast('blue-prince');
  expect(lastVote.get()).toBe('hades-2');
  dialog.resolve(async () => {});
  await first;
  expect(ballots.voting.get()).toBeUndefined();
  expect(createLastVote().get()).toBe('hades-2');
});
