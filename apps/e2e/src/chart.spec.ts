import { resultTexts } from '@goty/shared/result-texts';
import type { Page } from '@playwright/test';
import { contrast } from '../testing/contrast.ts';
import { chart, expect, test, votesCell } from '../testing/goty-test.ts';
import { thirtyGames } from '../testing/states.ts';

test('W3 W5 the chart is 300 px high and has a label, a legend and a table', async ({ page }) => {
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  expect((await chart(page).boundingBox())?.height).toBe(300);
  const legend = page.getByRole('list', { name: resultTexts.legendLabel });
  await expect(legend.getByRole('listitem')).toHaveCount(8);
  await expect(votesCell(page, 'Hades II')).toHaveText(/votos?$/);
});

test('W3 a bar fades from 20 % to 100 % of its colour', async ({ page, live }) => {
  await live.fakeStandings([{ id: 'a', name: 'Uno', votos: 100 }]);
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

test('W20 every bar ends with a contrast of 3:1, in both themes and on any surface', async ({
  page,
  live,
}) => {
  await live.fakeStandings(
    Array.from({ length: 8 }, (_, id) => ({ id: `${id}`, name: `J${id}`, votos: 4 })),
  );
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  await expectContrast(page, [0x1a, 0x14, 0x33]);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectContrast(page, [255, 255, 255]);

  await page.getByRole('link', { name: 'Votar', exact: true }).click();
  await page.emulateMedia({ colorScheme: 'dark' });
  // Any CSS colour can be a token, and a minifier may rewrite it.
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--surface', 'color(srgb 0.102 0.0784 0.2)');
  });
  await page.getByRole('link', { name: 'Inicio', exact: true }).click();
  await expect(chart(page)).toBeVisible();
  await expectContrast(page, [0x1a, 0x14, 0x33]);
});

/** Waits until all eight bars end with enough contrast to the background. */
async function expectContrast(page: Page, background: readonly number[]) {
  await expect(async () => {
    const ends = await barEnds(page);
    expect(ends).toHaveLength(8);
    for (const end of ends) expect(contrast(end, background), `${end}`).toBeGreaterThan(2.97);
  }).toPass();
}

/** Reads the colour at the end of each bar, halfway up, from the canvas. */
function barEnds(page: Page): Promise<number[][]> {
  return chart(page).evaluate((canvas: HTMLCanvasElement) => {
    const context = canvas.getContext('2d');
    /** Returns the end of the longest run of painted pixels: bars are longer than anything else. */
    const barEnd = (y: number) => {
      const data = context?.getImageData(0, y, canvas.width, 1).data ?? [];
      let longest = { length: 200, end: 0 };
      let length = 0;
      for (let x = 0; x < canvas.width; x += 1) {
        length = (data[x * 4 + 3] ?? 0) > 30 ? length + 1 : 0;
        if (length > longest.length) longest = { length, end: x };
      }
      return longest.end;
    };
    const rows = Array.from({ length: canvas.height }, (_, y) => y);
    const tops = rows.filter((y) => barEnd(y) > 0 && barEnd(y - 1) === 0);
    return tops.map((top) => {
      const pixel = context?.getImageData(barEnd(top + 8) - 2, top + 8, 1, 1).data ?? [];
      return [...pixel.slice(0, 3)];
    });
  });
}

test('W3 W37 thirty games scroll below the axes, by keyboard too', async ({ page, live }) => {
  await live.fakeStandings(thirtyGames());
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  const region = page.getByRole('region', { name: resultTexts.scrollable });
  const before = await region.boundingBox();
  expect(before?.height).toBe(300);
  await expect(page.getByText(resultTexts.shown('1', '9', '30'))).toBeVisible();
  await region.focus();
  await page.keyboard.press('End');
  await expect(page.getByText(resultTexts.shown('22', '30', '30'))).toBeVisible();
  // The axes are at the edges of the canvas.
  expect(await chart(page).boundingBox()).toEqual({ ...before, width: expect.any(Number) });
});

test.describe('on a fine screen', () => {
  test.use({ deviceScaleFactor: 3 });

  test('W37 a thousand games are drawn', async ({ page, live }) => {
    await live.fakeStandings(
      Array.from({ length: 1_000 }, (_, id) => ({ id: `g${id}`, name: `J${id}`, votos: 4 })),
    );
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
    expect(await barEnds(page)).toHaveLength(9);
  });

  test('W38 a bar is outlined, and no grid line goes through it', async ({ page, live }) => {
    await live.fakeStandings([{ id: 'a', name: 'Uno', votos: 100 }]);
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
    const { column, row } = await chart(page).evaluate((canvas: HTMLCanvasElement) => {
      const context = canvas.getContext('2d');
      const read = (x: number, y: number, width: number, height: number) => {
        const data = context?.getImageData(x, y, width, height).data ?? [];
        return Array.from({ length: data.length / 4 }, (_, at) => [
          ...data.slice(at * 4, at * 4 + 4),
        ]);
      };
      const x = Math.round(canvas.width * 0.3);
      const y = Math.round(canvas.height * 0.42);
      return { column: read(x, 0, 1, y), row: read(x, y, Math.round(canvas.width * 0.5), 1) };
    });
    const surface = [0x1a, 0x14, 0x33];
    const contrasts = column.map(([red = 0, green = 0, blue = 0, alpha = 0]) => {
      const over = (channel: number, below = 0) => below + ((channel - below) * alpha) / 255;
      return contrast(
        [red, green, blue].map((channel, at) => over(channel, surface[at])),
        surface,
      );
    });
    expect(Math.max(...contrasts)).toBeGreaterThan(2.95);
    // From the zero end on, the bar only becomes more opaque.
    const alphas = row.map(([, , , alpha = 0]) => alpha);
    const jumps = alphas.slice(1).map((alpha, at) => Math.abs(alpha - (alphas[at] ?? 0)));
    expect(Math.max(...jumps)).toBeLessThan(10);
  });
});

test('W38 the text of the chart grows with that of the page', async ({ page, live }) => {
  await live.fakeStandings(thirtyGames().slice(0, 8));
  await page.goto('/goty');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await page.getByRole('link', { name: 'Inicio', exact: true }).click();
  await expect(page.getByText(resultTexts.shown('1', '3', '8'))).toBeVisible();
});
