import { resultTexts } from '@goty/shared/result-texts';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { viewGames } from '../results/game-view.ts';
import { LeaderFace } from './leader.tsx';

const NOMINEES = ['a', 'b', 'c'].map((id) => ({ id, name: id, url: `/covers/${id}.svg` }));

/** Renders the face of the leader among games with these votes. Game d has no cover. */
function renderFace(...votes: number[]) {
  vi.useFakeTimers();
  const face = (votes: readonly number[], isOpen = true) => (
    <LeaderFace games={viewGames(buildStandings(...votes), NOMINEES)} isOpen={isOpen} />
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

test.each([[[2, 2]], [[0, 0]]])('W110 votes of %j have no leader, and no face', (votes) => {
  expect(renderFace(...votes).covers()).toEqual([]);
});

test('W110 without a cover, or if it fails, the face has the game’s colour and initials', () => {
  const { container, covers, update } = renderFace(0, 0, 0, 1);
  const cover = container.querySelector<HTMLElement>('[data-initials]');
  expect([covers(), cover?.style.color, cover?.dataset.initials]).toEqual([
    [],
    'rgb(87, 70, 139)',
    'JD',
  ]);
  update(5, 0, 0, 1);
  act(() => void container.querySelector('img')?.dispatchEvent(new Event('error')));
  expect(covers()).toEqual([]);
});

test('W110 the old leader leaves as the new one comes, which is said for 4 s, at most every 8 s, and neither after a tie nor while votes are secret', () => {
  const { covers, update, freeze } = renderFace(0, 0);
  freeze(3, 1);
  expect(covers()).toEqual([]);
  for (const votes of [3, 4]) {
    update(votes, 3);
    expect(isNew()).toBe(false);
  }
  update(4, 4);
  update(4, 5);
  expect(covers()).toEqual(['/covers/a.svg', '/covers/b.svg']);
  expect(isNew()).toBe(true);
  pass(3_999);
  expect(isNew()).toBe(true);
  pass(1);
  expect(isNew()).toBe(false);
  pass(3_999);
  update(6, 5);
  expect(isNew()).toBe(false);
  pass(1);
  update(6, 7);
  expect(isNew()).toBe(true);
});
