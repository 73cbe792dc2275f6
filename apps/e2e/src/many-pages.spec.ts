import { expect, test } from '../testing/goty-test.ts';
import { openInicio } from '../testing/steps.ts';

test('W142 on plain HTTP another page loads while many show the result', async ({ context }) => {
  for (let pages = 1; pages <= 6; pages += 1) {
    const page = await context.newPage();
    await openInicio(page);
    // Each page that may keep a stream has said so before the next one asks.
    const streams = () => Object.keys(JSON.parse(localStorage.getItem('goty-streams') ?? '{}'));
    await expect.poll(() => page.evaluate(streams)).toHaveLength(Math.min(pages, 3));
  }
  const next = await context.newPage();
  await next.goto('/goty', { timeout: 60_000 });
  await expect(next.getByRole('article')).toHaveCount(8);
});
