import { expect, test } from 'vitest';
import { type LiveState, nextLiveState } from './live-source.ts';

const standings = [{ id: 'a', name: 'Uno', votos: 1 }];

test('W11 standings make any state live', () => {
  const states: LiveState[] = [
    { status: 'loading', standings: undefined },
    { status: 'failed', standings: undefined },
    { status: 'offline', standings: undefined },
  ];
  for (const state of states) {
    expect(nextLiveState(state, { type: 'standings', standings })).toEqual({
      status: 'live',
      standings,
    });
  }
});

test('W11 offline keeps the last standings, if there are any', () => {
  const offline: LiveState = { status: 'offline', standings };
  expect(nextLiveState({ status: 'live', standings }, { type: 'offline' })).toEqual(offline);
  expect(nextLiveState(offline, { type: 'offline' })).toEqual(offline);
  expect(nextLiveState({ status: 'loading', standings: undefined }, { type: 'offline' })).toEqual({
    status: 'offline',
    standings: undefined,
  });
});

test('W11 a failed event leads to the failed state', () => {
  expect(nextLiveState({ status: 'live', standings }, { type: 'failed' })).toEqual({
    status: 'failed',
    standings: undefined,
  });
});
