import { resultTexts } from '@goty/shared/result-texts';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { viewGames } from './game-view.ts';
import { LeaderFace } from './leader.tsx';
import { WinnerCovers } from './winners.tsx';

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

/** Renders the winners among games with these votes, still or with motion. */
function renderWinners(...votes: number[]) {
  const games = viewGames(buildStandings(...votes), NOMINEES);
  const winners = (isCelebrated: boolean) => (
    <WinnerCovers
      games={games}
      isCelebrated={isCelebrated}
      max={6}
      className=""
      coverClassName=""
    />
  );
  const { container, rerender } = render(winners(false));
  const allOf = (name: string) =>
    [...container.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name));
  return { allOf, reveal: () => rerender(winners(true)) };
}

test.each([
  ['b', [1, 3, 2]],
  ['ac', [3, 1, 3]],
  ['abc', [3, 3, 3]],
])('W111 the covers are those of %s, who have won with %j', (ids, votes) => {
  expect(renderWinners(...votes).allOf('src')).toEqual([...ids].map((id) => `/covers/${id}.svg`));
});

test('W111 more than six games that tie are told by their number, in the colour of none', () => {
  const { allOf } = renderWinners(...Array<number>(7).fill(2));
  screen.getByText('7 juegos');
  expect(allOf('style')).toEqual([]);
});

test('W111 confetti in gold and the colour of the winner comes with the motion, and goes', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const { promise, resolve } = Promise.withResolvers<void>();
  const animate = vi.fn(() => ({ finished: promise }));
  Object.assign(Element.prototype, { animate });
  const { reveal } = renderWinners(1);
  const pieces = () => [...document.querySelectorAll<HTMLElement>('body > .burst > i')];
  expect(pieces()).toEqual([]);
  reveal();
  expect(pieces().length).toBeGreaterThan(20);
  const colors = pieces().map(({ style }) => style.background);
  expect(colors).toEqual(expect.arrayContaining(['var(--gold)', 'rgb(78, 49, 165)']));
  expect(animate).toHaveBeenCalledWith(
    expect.anything(),
    expect.objectContaining({ duration: 2_500 }),
  );
  resolve();
  await vi.waitFor(() => expect(pieces()).toEqual([]));
  Reflect.deleteProperty(Element.prototype, 'animate');
});

test('W145 confetti for a hall flies upwards from the lower corners, towards the middle', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const flights: string[] = [];
  const animate = ([, top]: Keyframe[]) => {
    flights.push(String(top?.transform));
    return { finished: new Promise(() => {}) };
  };
  Object.assign(Element.prototype, { animate });
  render(
    <WinnerCovers
      games={viewGames(buildStandings(1), NOMINEES)}
      max={3}
      className=""
      coverClassName=""
      isCelebrated
      isLarge
    />,
  );
  const bursts = [...document.querySelectorAll<HTMLElement>('body > .burst')];
  const { innerWidth, innerHeight } = window;
  expect(bursts.map(({ style }) => [style.left, style.top])).toEqual([
    ['0px', `${innerHeight}px`],
    [`${innerWidth}px`, `${innerHeight}px`],
  ]);
  const isInward = (flight: string, at: number) =>
    (at < 70 ? /^translate\(\d.*px, -/ : /^translate\(-\d.*px, -/).test(flight);
  expect(flights.filter(isInward)).toHaveLength(140);
  for (const burst of bursts) burst.remove();
  Reflect.deleteProperty(Element.prototype, 'animate');
});
