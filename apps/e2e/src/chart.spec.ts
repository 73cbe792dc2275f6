import { texts } from '@goty/shared/texts';
import { chart, expect, test, votesCell } from '../testing/goty-test.ts';
import { thirtyGames } from '../testing/states.ts';

test('W3 W5 the chart is 300 px high and has a label, a legend and a table', async ({ page }) => {
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  expect((await chart(page).boundingBox())?.height).toBe(300);
  const legend = page.getByRole('list', { name: texts.inicio.legendLabel });
  await expect(legend.getByRole('listitem')).toHaveCount(8);
  await expect(votesCell(page, 'Hades II')).toHaveText(/votos?$/);
});

test('W3 a bar fades from 20 % to 100 % of its colour', async ({ page, live }) => {
  await live.fakeStandings([{ id: 'a', name: 'Uno', votos: 100 }]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  // The alpha of all pixels in the first game's colour, #4e31a5, along the middle of its bar.
  const alphas = await chart(page).evaluate((canvas: HTMLCanvasElement) => {
    const y = Math.round(canvas.height * 0.42);
    const row = canvas.getContext('2d')?.getImageData(0, y, canvas.width, 1).data;
    const pixels = Array.from({ length: canvas.width }, (_, x) => row?.slice(x * 4, x * 4 + 4));
    const isClose = (channel: number | undefined, target: number) =>
      channel !== undefined && Math.abs(channel - target) < 12;
    return pixels
      .filter(
        (pixel) =>
          isClose(pixel?.[0], 0x4e) && isClose(pixel?.[1], 0x31) && isClose(pixel?.[2], 0xa5),
      )
      .map((pixel) => pixel?.[3] ?? 0);
  });
  expect(alphas.length).toBeGreaterThan(200);
  expect(alphas[4]).toBeLessThan(70);
  expect(alphas.at(-5)).toBeGreaterThan(240);
  const middle = alphas[Math.floor(alphas.length / 2)];
  expect(middle).toBeGreaterThan(140);
  expect(middle).toBeLessThan(165);
});

test('W20 the chart and its table have accessible names, and there is a status', async ({
  page,
}) => {
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  await expect(page.getByRole('table', { name: texts.inicio.tableCaption })).toBeAttached();
  await expect(page.getByRole('status').filter({ hasText: /votos/ })).toBeAttached();
});

test('W3 thirty games scroll inside the chart, by keyboard too', async ({ page, live }) => {
  await live.fakeStandings(thirtyGames());
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  const region = page.getByRole('region', { name: texts.inicio.scrollable });
  expect((await region.boundingBox())?.height).toBe(300);
  await region.focus();
  await page.keyboard.press('End');
  await expect.poll(() => region.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
});
