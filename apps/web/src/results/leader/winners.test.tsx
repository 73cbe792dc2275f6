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
])('W111 the covers of those who have won with %j', (votes, shown) => {
  const { container } = render(
    <Winners standings={buildStandings(...votes)} covers={COVERS} isRevealed={false} />,
  );
  const images = [...container.querySelectorAll('img')];
  expect(images.map((image) => image.getAttribute('src'))).toEqual(shown);
});

function Reveal({ isRevealed }: { isRevealed: boolean }) {
  return <Winners standings={buildStandings(1)} covers={COVERS} isRevealed={isRevealed} />;
}

test('W111 confetti in the colour of the winner comes with the motion, and goes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const animate = vi.fn(() => ({ finished: promise }));
  Object.assign(Element.prototype, { animate });
  const { rerender } = render(<Reveal isRevealed={false} />);
  const pieces = () => [...document.querySelectorAll<HTMLElement>('body > .burst > i')];
  expect(pieces()).toEqual([]);
  rerender(<Reveal isRevealed />);
  expect(pieces().length).toBeGreaterThan(20);
  expect(pieces()[0]?.style.background).toContain('rgb(78, 49, 165)');
  expect(animate).toHaveBeenCalledWith(
    expect.anything(),
    expect.objectContaining({ duration: 2_500 }),
  );
  resolve();
  await vi.waitFor(() => expect(pieces()).toEqual([]));
  Reflect.deleteProperty(Element.prototype, 'animate');
});
