import type { VoteResponse } from '@goty/shared/game';
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
  dialog.resolve(async () => true);
  expect(await first).toBe(true);
  expect(ballots.voting.get()).toBeUndefined();
  expect(createLastVote().get()).toBe('hades-2');
});

test('W95 a vote that this visitor knows of is told apart, and one that the server knows of is saved', async () => {
  const lastVote = createLastVote();
  const told: boolean[] = [];
  const castWith = async (gameId: string, response: VoteResponse) => {
    const ballots = createBallotBox({
      vote: async () => response,
      loadDialog: async () => async (_response, _gameId, isAgain) => told.push(isAgain) < 0,
      lastVote,
    });
    await ballots.cast(gameId);
    return lastVote.get();
  };
  // Its first answer was lost, so nobody has thanked for it.
  expect(await castWith('a', { ...COUNTED, votedFor: 'a' })).toBe('a');
  expect(await castWith('a', { ...COUNTED, votedFor: 'a' })).toBe('a');
  // The operator has reset the vote.
  expect(await castWith('a', COUNTED)).toBe('a');
  expect(await castWith('b', { ok: false, mensaje: 'No', votedFor: 'c' })).toBe('c');
  expect(await castWith('b', { ok: false, mensaje: 'No' })).toBe('c');
  expect(told).toEqual([false, true, false, false, false]);
});
