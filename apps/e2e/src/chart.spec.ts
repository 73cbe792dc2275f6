import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { countPixels, legendEntry, picture, shownRows } from '../testing/chart-parts.ts';
import { chart, expect, test } from '../testing/goty-test.ts';
import { thirtyGames } from '../testing/states.ts';
import { follow, openGoty, openInicio, voteElsewhere } from '../testing/steps.ts';

/** The colour of the second bar, as it ends on a white surface. On the dark one it is lighter. */
const SECOND_COLOR = '#9c25a7';
const GAMES = [
  { id: 'a', name: 'Uno', votos: 30 },
  { id: 'b', name: 'Dos', votos: 90 },
  { id: 'c', name: 'Tres', votos: 0 },
];

test.use({ hasTouch: true });

test('W20 the bars end in colours for their surface', async ({ page, live }) => {
  await live.fakeStandings(GAMES);
  await openInicio(page);
  const surfaceIsLight = async () => (await countPixels(page, SECOND_COLOR)) > 0;
  expect(await surfaceIsLight()).toBe(false);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(surfaceIsLight).toBe(true);
  await follow(page, 'Votar');
  await page.emulateMedia({ colorScheme: 'dark' });
  await follow(page, 'Inicio');
  await expect(chart(page)).toBeVisible();
  await expect.poll(surfaceIsLight).toBe(false);
});

test('W3 W37 thirty games scroll below the axes, by keyboard and focus', async ({ page, live }) => {
  await live.fakeStandings(thirtyGames());
  await openInicio(page);
  const region = page.getByRole('region', { name: resultTexts.scrollable });
  const before = await region.boundingBox();
  expect(before?.height).toBe(300);
  await expect(shownRows(page, '1', '9', '30')).toBeVisible();
  await region.focus();
  await page.keyboard.press('End');
  await expect(shownRows(page, '22', '30', '30')).toBeVisible();
  // The axes are at the edges of the canvas.
  expect(await chart(page).boundingBox()).toEqual({ ...before, width: expect.any(Number) });
  await legendEntry(page, 'Juego número').first().focus();
  await expect(shownRows(page, '1', '9', '30')).toBeVisible();
});

test.describe('on a fine screen', () => {
  test.use({ deviceScaleFactor: 3 });

  test('W37 a thousand games are drawn', async ({ page, live }) => {
    await live.fakeStandings(
      Array.from({ length: 1_000 }, (_, id) => ({ id: `g${id}`, name: `J${id}`, votos: 4 })),
    );
    // What comes after the legend has to wait for a thousand entries.
    await page.goto('/inicio');
    await expect(shownRows(page, '1', '9', '1.000')).toBeVisible();
    await expect.poll(() => countPixels(page, 'var(--text-muted)')).toBeGreaterThan(50);
  });
});

test('W38 the text of the chart grows with that of the page', async ({ page, live }) => {
  await live.fakeStandings(thirtyGames().slice(0, 8));
  await openGoty(page);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await follow(page, 'Inicio');
  await expect(shownRows(page, '1', '3', '8')).toBeVisible();
});

test("W63 W64 'Tu voto' and votes that arrive are drawn at the bar", async ({ page }) => {
  await page.clock.install();
  await voteElsewhere(page, 'hades-2');
  await openInicio(page);
  expect(await countPixels(page, 'var(--accent)')).toBe(0);
  await page.evaluate(() => localStorage.setItem('goty-last-vote', 'hades-2'));
  await page.reload();
  await expect.poll(() => countPixels(page, 'var(--accent)')).toBeGreaterThan(50);
  expect(await countPixels(page, 'var(--good)')).toBe(0);
  // By the page's own time, so that no machine is too slow to see it.
  await page.clock.pauseAt(Date.now() + 60_000);
  await voteElsewhere(page, 'hades-2');
  const pass = async (ms: number) => {
    await page.clock.runFor(ms);
    return countPixels(page, 'var(--good)');
  };
  await expect.poll(() => pass(500)).toBeGreaterThan(0);
  await expect.poll(() => pass(1_000)).toBe(0);
});

test('W65 bars and entries of the legend mark each other', async ({ page, live }) => {
  await live.fakeStandings(GAMES);
  await openInicio(page);
  const before = await picture(page);
  await legendEntry(page, 'Uno').hover();
  await expect.poll(() => picture(page)).not.toBe(before);
  await page.getByRole('heading', { level: 1 }).hover();
  await expect.poll(() => picture(page)).toBe(before);
  await chart(page).hover();
  await expect(legendEntry(page, 'Dos')).toHaveAttribute('data-pointed');
  await expect(legendEntry(page, 'Uno')).not.toHaveAttribute('data-pointed');
  await expect.poll(() => picture(page)).not.toBe(before);
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(legendEntry(page, 'Dos')).not.toHaveAttribute('data-pointed');
  await expect.poll(() => picture(page)).toBe(before);
});

test('W65 in a hall, a touch marks the bar and its entry', async ({ page, live }) => {
  await live.fakeStandings(GAMES);
  await page.setViewportSize({ width: 1920, height: 900 });
  await openInicio(page);
  const before = await picture(page);
  const box = await chart(page).boundingBox();
  if (!box) throw new Error('The chart is not shown.');
  const finger = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const browser = await page.context().newCDPSession(page);
  // Not lifted: after a tap, Chromium may report that the mouse, which is elsewhere, has left.
  await browser.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] });
  await expect(legendEntry(page, 'Dos')).toHaveAttribute('data-pointed');
  await expect.poll(() => picture(page)).not.toBe(before);
});

test('W35 with forced colours the text changes, the bars do not', async ({ page, live }) => {
  await live.fakeStandings(GAMES);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
  await openInicio(page);
  await expect.poll(() => countPixels(page, 'CanvasText')).toBeGreaterThan(50);
  expect(await countPixels(page, 'var(--text-muted)')).toBe(0);
  expect(await countPixels(page, SECOND_COLOR)).toBeGreaterThan(0);
});

test('W125 inicio is printed on paper, with the address, without bar and buttons', async ({
  page,
  live,
}) => {
  await live.fakeStandings(GAMES);
  await openInicio(page);
  const dark = await picture(page);
  // Firefox changes no media query, and prints the canvas as it is.
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await countPixels(page, '#584d7d')).toBeGreaterThan(50);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(() => picture(page)).toBe(dark);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('link', { name: texts.inicio.vote })).toBeHidden();
  await expect(chart(page)).toBeVisible();
  await expect(page.getByText('goty.example/goty')).toBeVisible();
});
