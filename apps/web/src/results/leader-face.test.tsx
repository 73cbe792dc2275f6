import { resultTexts } from '@goty/shared/result-texts';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { LeaderFace } from './leader.tsx';

const COVERS = new Map(['a', 'b'].map((id) => [id, `/covers/${id}.svg`]));

/** Renders the face of the leader among games with these votes. Game c has no cover. */
function renderFace(...votes: number[]) {
  vi.useFakeTimers();
  const face = (votes: readonly number[], isOpen = true) => (
    <LeaderFace standings={buildStandings(...votes)} covers={COVERS} isOpen={isOpen} />
  );
  const { container, rerender } = render(face(votes));
  return {
    container,
    covers: () => [...container.querySelectorAll('img')].map((image) => image.getAttribute('src')),
    update: (...votes: number[]) => rerender(face(votes)),
    freeze: (...votes: number[]) => rerender(face(votes, false)),
  };
}

const isNew = () => screen.queryByText(resultTexts.newLeader) !== null;
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test.each([
  ['a leader', [3, 1], ['/covers/a.svg']],
  ['a tie', [2, 2], []],
  ['no votes', [0, 0], []],
])('W110 %s has a face, or none', (_state, votes, shown) => {
  expect(renderFace(...votes).covers()).toEqual(shown);
});

test('W110 without a cover, or if it fails, the face has the game’s colour and initials', () => {
  const { container, covers, update } = renderFace(0, 0, 1);
  const cover = container.querySelector('span');
  expect([covers(), cover?.style.color, cover?.dataset.initials]).toEqual([
    [],
    'rgb(48, 101, 171)',
    'JC',
  ]);
  update(5, 0, 1);
  act(() => void container.querySelector('img')?.dispatchEvent(new Event('error')));
  expect(covers()).toEqual([]);
});

test('W110 the old leader leaves as the new one comes, which is said for 4 s, and not while votes are secret', () => {
  const { covers, update, freeze } = renderFace(0, 0);
  freeze(3, 1);
  expect(covers()).toEqual([]);
  update(3, 1);
  expect(isNew()).toBe(false);
  update(3, 4);
  expect(covers()).toEqual(['/covers/a.svg', '/covers/b.svg']);
  expect(isNew()).toBe(true);
  pass(3_999);
  expect(isNew()).toBe(true);
  pass(1);
  expect(isNew()).toBe(false);
});

test('W110 a new leader is said at most every 8 s, and not if a tie has changed nothing', () => {
  const { update } = renderFace(3, 2);
  update(3, 3);
  update(4, 3);
  expect(isNew()).toBe(false);
  update(4, 4);
  expect(isNew()).toBe(false);
  update(4, 5);
  expect(isNew()).toBe(true);
  pass(7_999);
  update(6, 5);
  expect(isNew()).toBe(false);
  pass(1);
  update(6, 7);
  expect(isNew()).toBe(true);
});
