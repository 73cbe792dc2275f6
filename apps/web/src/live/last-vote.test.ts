import { expect, test, vi } from 'vitest';
import { createObservable } from '../base/observable.ts';
import { tellVote } from '../main.tsx';
import { createLastVote } from './last-vote.ts';
import { ALWAYS_OPEN, INITIAL_LIVE_STATE } from './live-state.ts';

test('V16 W21 a vote is remembered in the vote that it was cast in, in other tabs and visits, too, and in no other', () => {
  const known = createObservable(INITIAL_LIVE_STATE);
  const lastVote = createLastVote();
  tellVote(known, lastVote);
  const hear = (voteId?: string) =>
    known.set({ ...INITIAL_LIVE_STATE, status: { ...ALWAYS_OPEN, voteId } });
  // Nothing is told before it is known which vote it is.
  lastVote.learn({ voteId: 'v' });
  lastVote.save('a', 5);
  const next = createLastVote();
  expect(next.get()).toBeUndefined();
  tellVote(known, next);
  const seen = vi.fn(next.get);
  next.subscribe(seen);
  hear();
  expect(next.get()).toBeUndefined();
  hear('v');
  expect([next.get(), next.votedAt()]).toEqual(['a', 5]);
  hear('reset');
  expect([next.get(), next.votedAt(), lastVote.get()]).toEqual([undefined, undefined, undefined]);
  expect(seen.mock.results.map(({ value }) => value)).toEqual(['a', undefined]);
  // An answer from before the reset comes late.
  hear('v');
  next.learn({ voteId: 'reset' });
  next.save('b');
  expect([next.get(), next.votedAt()]).toEqual(['b', undefined]);
});

test('V16 what the page of 1.0.0 has left belongs to a vote without an id', () => {
  localStorage.setItem('goty-last-vote', 'a 5');
  for (const [voteId, game, votedAt] of [
    ['v', undefined, undefined],
    ['', 'a', 5],
  ] as const) {
    const lastVote = createLastVote();
    lastVote.learn({ voteId });
    expect([lastVote.get(), lastVote.votedAt()]).toEqual([game, votedAt]);
  }
});

test('V15 all presses of a browser have one key, unless each press counts', () => {
  const key = createLastVote().visitorKey();
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  const lastVote = createLastVote();
  lastVote.learn({ onePerVisitor: true });
  expect(lastVote.visitorKey()).toBe(key);
  lastVote.learn({ onePerVisitor: false });
  expect(lastVote.visitorKey()).toBeUndefined();
  // The first press of the next visit, before the page knows, is another vote, too.
  expect(createLastVote().visitorKey()).not.toBe(key);
});

test('V15 a browser that keeps nothing remembers no vote that could be changed; without storage alone the page does', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const cookies = vi.spyOn(navigator, 'cookieEnabled', 'get');
  const lastVote = createLastVote();
  lastVote.learn({ voteId: 'v' });
  const key = lastVote.visitorKey();
  cookies.mockReturnValue(false);
  expect([lastVote.save('a', 5), lastVote.get()]).toEqual([false, undefined]);
  // Until the page is closed, all its presses are one visitor's.
  expect(lastVote.visitorKey()).toBe(key);
  expect([lastVote.save('a'), lastVote.get()]).toEqual([true, 'a']);
  cookies.mockReturnValue(true);
  expect([lastVote.save('b', 5), lastVote.get()]).toEqual([true, 'b']);
});

test('W153 a vote is of the code that it was cast with, whichever one the visitor has given since, in any tab', () => {
  const [first, second] = ['0A1B2C3D4E5F6G7H', '7777777777777777'] as const;
  const lastVote = createLastVote();
  lastVote.learn({ voteId: 'v', voterTag: 't' });
  lastVote.setCode(first);
  const sent = lastVote.toSend();
  // While the answer is on its way.
  lastVote.setCode(second);
  lastVote.save('a', 5, sent.code);
  expect([lastVote.get(), lastVote.votedAt(), lastVote.toSend()]).toEqual([
    undefined,
    undefined,
    { code: second },
  ]);
  const otherTab = createLastVote();
  otherTab.learn({ voteId: 'v' });
  expect(otherTab.get()).toBeUndefined();
  localStorage.setItem('goty-code', first);
  window.dispatchEvent(new StorageEvent('storage', { key: 'goty-code' }));
  expect([lastVote.get(), otherTab.get(), otherTab.toSend()]).toEqual([
    'a',
    'a',
    { votedIn: 'v', votedAs: 't', code: first },
  ]);
});

test('W153 V17 where nothing is stored, a vote by a code can be changed', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('blocked');
  });
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
  const lastVote = createLastVote();
  lastVote.setCode('0A1B2C3D4E5F6G7H');
  expect(lastVote.save('a', 5, lastVote.code())).toBe(true);
  expect(lastVote.save('a', 5)).toBe(false);
});
