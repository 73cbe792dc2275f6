import { texts } from '@goty/shared/texts';
import { countPixels, picture } from '../testing/chart-parts.ts';
import { chart, expect, test } from '../testing/goty-test.ts';

const GAMES = [
  { id: 'a', name: 'Uno', votos: 30 },
  { id: 'b', name: 'Dos', votos: 90 },
];

test('W67 with forced colours the text has those of the visitor, the bars keep theirs', async ({
  page,
  live,
}) => {
  await live.fakeStandings(GAMES);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  expect(await countPixels(page, 'CanvasText')).toBeGreaterThan(50);
  expect(await countPixels(page, 'var(--text-muted)')).toBe(0);
  expect(await countPixels(page, '#9c25a7')).toBeGreaterThan(0);
});

test('W67 before it is printed, the chart takes the colours of paper in every browser', async ({
  page,
  live,
}) => {
  await live.fakeStandings(GAMES);
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  const dark = await picture(page);
  // Firefox changes no media query, and prints the canvas as it is.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await countPixels(page, '#584d7d')).toBeGreaterThan(50);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  expect(await picture(page)).toBe(dark);
});

test('W67 bar and buttons are not printed', async ({ page, live }) => {
  await live.fakeStandings(GAMES);
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('link', { name: texts.inicio.vote })).toBeHidden();
  await expect(chart(page)).toBeVisible();
});
