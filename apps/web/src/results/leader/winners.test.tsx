import { render } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../../testing/builders.ts';
import { Winners } from './winners.tsx';

const COVERS = new Map(['a', 'b', 'c'].map((id) => [id, `/covers/${id}.svg`]));

test.each([
  [[1, 3, 2], ['/covers/b.svg']],
  [
    [3, 1, 3],
    ['/covers/a.svg', '/covers/c.svg'],
  ],
  [[3, 3, 3], [...COVERS.values()]],
])('W111 the covers of those who have won with %j', (votes, shown) => {
  const { container } = render(
    <Winners standings={buildStandings(...votes)} covers={COVERS} isRevealed={false} />,
  );
  const images = [...container.querySelectorAll('img')];
  expect(images.map((image) => image.getAttribute('src'))).toEqual(shown);
});

test('W111 more than six games that tie are told by their number', () => {
  const { container } = render(
    <Winners standings={buildStandings(...Array(7).fill(2))} covers={COVERS} isRevealed={false} />,
  );
  const told = [...container.querySelectorAll('[data-initials]')];
  expect(told.map((cover) => cover.getAttribute('data-initials'))).toEqual(['7 juegos']);
});

function Reveal({ isRevealed }: { isRevealed: boolean }) {
  return <Winners standings={buildStandings(1)} covers={COVERS} isRevealed={isRevealed} />;
}

test('W111 confetti in gold and the colour of the winner comes with the motion, and goes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const animate = vi.fn(() => ({ finished: promise }));
  Object.assign(Element.prototype, { animate });
  const { rerender } = render(<Reveal isRevealed={false} />);
  const pieces = () => [...document.querySelectorAll<HTMLElement>('body > .burst > i')];
  expect(pieces()).toEqual([]);
  rerender(<Reveal isRevealed />);
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
