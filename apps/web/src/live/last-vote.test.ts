import { expect, test, vi } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { createObservable } from '../base/observable.ts';
import { ALWAYS_OPEN, type Known, UNKNOWN } from './known.ts';
import { createLastVote, forgetResetVote } from './last-vote.ts';

const none = buildLive(buildStandings(0, 0));
const some = buildLive(buildStandings(1, 0));

/** Remembers a vote for the first of two games. `hear` lets the page hear this again and again, for so long. */
function setUp() {
  vi.useFakeTimers();
  const lastVote = createLastVote();
  lastVote.save('a');
  const known = createObservable(UNKNOWN);
  forgetResetVote(known, lastVote);
  const hear = (state: Known, seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      known.set(state);
      vi.advanceTimersByTime(1_000);
    }
    known.set(state);
  };
  return { lastVote, hear };
}

test('W21 a vote that the operator has reset is forgotten, in storage too, and one for a game that is gone', () => {
  for (const state of [none, buildLive([])]) {
    const { lastVote, hear } = setUp();
    hear(some, 60);
    hear(state, 14);
    expect(lastVote.get()).toBe('a');
    hear(state, 1);
    expect(lastVote.get()).toBeUndefined();
    expect(createLastVote().get()).toBeUndefined();
  }
});

test('W21 a vote is kept while the standings only lag behind it, are lost, or are secret', () => {
  const { lastVote, hear } = setUp();
  hear(none, 14);
  hear(some, 1);
  hear(none, 14);
  hear({ ...none, connection: 'offline' }, 200);
  hear({ ...none, status: { ...ALWAYS_OPEN, resultPhase: 'frozen' } }, 200);
  expect(lastVote.get()).toBe('a');
});

test('W21 a vote that is cast meanwhile, also in another tab, has 15 s of its own', () => {
  const { lastVote, hear } = setUp();
  hear(none, 14);
  lastVote.save('b');
  hear(none, 14);
  expect(lastVote.get()).toBe('b');
});
