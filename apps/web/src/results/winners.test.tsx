import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { type Reveal, Winners } from './leader.tsx';

const COVERS = new Map(['a', 'b', 'c'].map((id) => [id, `/covers/${id}.svg`]));

/** Renders the winners among games with these votes, still or with motion. */
function renderWinners(...votes: number[]) {
  const standings = buildStandings(...votes);
  const winners = (reveal: Reveal) => <Winners {...{ standings, reveal }} covers={COVERS} />;
  const { container, rerender } = render(winners('still'));
  const allOf = (name: string) =>
    [...container.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name));
  return { allOf, reveal: () => rerender(winners('revealed')) };
}

test.each([
  ['b', [1, 3, 2]],
  ['ac', [3, 1, 3]],
  ['abc', [3, 3, 3]],
])('W111 the covers are those of %s, who have won with %j', (ids, votes) => {
  expect(renderWinners(...votes).allOf('src')).toEqual([...ids].map((id) => COVERS.get(id)));
});

test('W111 more than six games that tie are told by their number', () => {
  const votes = Array<number>(7).fill(2);
  expect(renderWinners(...votes).allOf('data-initials')).toEqual(['7 juegos']);
});

test('W111 confetti in gold and the colour of the winner comes with the motion, and goes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const animate = vi.fn(() => ({ finished: promise }));
  Object.assign(Element.prototype, { animate });
  const { reveal } = renderWinners(1);
  const pieces = () => [...document.querySelectorAll<HTMLElement>('body > .burst > i')];
  expect(pieces()).toEqual([]);
  reveal();
  expect(pieces().length).toBeGreaterThan(20);
  const colors = pieces().map(({ style }) => style.background);
  expect(colors).toEqual(expect.arrayContaining(['rgb(255, 215, 94)', 'rgb(78, 49, 165)']));
  expect(animate).toHaveBeenCalledWith(
    expect.anything(),
    expect.objectContaining({ duration: 2_500 }),
  );
  resolve();
  await vi.waitFor(() => expect(pieces()).toEqual([]));
  Reflect.deleteProperty(Element.prototype, 'animate');
});
