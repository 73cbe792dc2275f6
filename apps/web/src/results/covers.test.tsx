import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { WinnerCovers } from './covers.tsx';
import { leadersOf, viewGames } from './game-view.ts';

const NOMINEES = ['a', 'b', 'c'].map((id) => ({ id, name: id, url: `/covers/${id}.svg` }));

/** Renders the winners among games with these votes, still or with motion. */
function renderWinners(...votes: number[]) {
  const games = viewGames(buildStandings(...votes), NOMINEES);
  const winners = (isCelebrated: boolean) => (
    <WinnerCovers
      games={leadersOf(games)}
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
  await expect.poll(pieces).toEqual([]);
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
