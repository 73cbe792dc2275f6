import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import type { Locator } from '@playwright/test';
import { countPixels, legendEntry, shownRows } from '../testing/chart-parts.ts';
import { chart, expect, test } from '../testing/goty-test.ts';
import { thirtyGames } from '../testing/states.ts';
import { openInicio } from '../testing/steps.ts';

/** The colour in which the second bar ends. */
const SECOND_COLOR = '#a63bb0';
const GAMES = [
  { id: 'a', name: 'Uno', votos: 30 },
  { id: 'b', name: 'Dos', votos: 90 },
  { id: 'c', name: 'Tres', votos: 0 },
];

test.use({ hasTouch: true });
test.beforeEach(({ live }) => live.fakeStandings(GAMES));

test('W3 W38 the axes have their titles, and the chart grows with the text', async ({ page }) => {
  await openInicio(page);
  const boxOf = async (box: Locator) => {
    const { x = 0, y = 0, height = 0 } = (await box.boundingBox()) ?? {};
    return { x, y, end: y + height };
  };
  const titled = (title: RegExp) => boxOf(page.locator('p').filter({ hasText: title }));
  const bars = await boxOf(chart(page));
  const below = await titled(/^Juegos$/);
  const beside = await titled(/^Votos$/);
  expect(below.x).toBeGreaterThan(bars.x);
  expect(below.end).toBeGreaterThan(bars.end - 30);
  expect(beside.x).toBeLessThan(bars.x);
  expect(beside.end).toBeLessThan(bars.end);
  await expect(chart(page)).toHaveCSS('height', '300px');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await expect(chart(page)).toHaveCSS('height', '600px');
  await expect(chart(page)).toHaveCSS('font-size', '24px');
});

test('W3 W37 W65 thirty games scroll, by keyboard and from the legend', async ({ page, live }) => {
  await live.fakeStandings(thirtyGames());
  await openInicio(page);
  const region = page.getByRole('region', { name: resultTexts.scrollable });
  const before = await region.boundingBox();
  expect(before?.height).toBe(300);
  // The leader's row stays.
  const leader = page.locator('[data-leader]').first();
  await expect(leader).toContainText('Juego número 28');
  await expect(shownRows(page, '1', '8', '30')).toBeVisible();
  await region.focus();
  await page.keyboard.press('End');
  await expect(shownRows(page, '22', '30', '30')).toBeVisible();
  // The axis is at the lower edge of the canvas.
  expect(await chart(page).boundingBox()).toMatchObject({ y: before?.y, height: 300 });
  await expect(leader).toContainText('Juego número 28');
  await legendEntry(page, 'Juego número').first().hover();
  await expect(shownRows(page, '1', '8', '30')).toBeVisible();
});

test('W64 on a phone, names behind places of one and two digits begin one below the other', async ({
  page,
  live,
}) => {
  await live.fakeStandings(
    thirtyGames()
      .slice(0, 11)
      .map((game, at) => ({ ...game, votos: 10 - at })),
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await openInicio(page);
  const names = page.locator('main ul[aria-hidden] bdi:visible');
  const places = () => page.locator('main ul[aria-hidden] > li').allInnerTexts();
  await page.getByRole('region', { name: resultTexts.scrollable }).focus();
  await page.keyboard.press('End');
  await expect.poll(async () => (await places()).join()).toMatch(/9\.º[\s\S]*10\.º/);
  const lefts = await names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect().x));
  expect(new Set(lefts.map(Math.round)).size).toBe(1);
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

test('W127 at 200 votes a second, no two figures on the screen disagree', async ({ page }) => {
  await page.addInitScript(fakeVotes, GAMES);
  await openInicio(page);
  expect(await page.evaluate(countDisagreements, 120)).toEqual({ leaders: 3, disagreements: [] });
});

/** Replaces the event stream by one in which the games overtake each other. Runs in the page. */
function fakeVotes(games: typeof GAMES) {
  const standings = games.map((game) => ({ ...game, votos: 90 }));
  let tick = 0;
  class FakeEventSource extends EventTarget {
    onmessage: ((event: MessageEvent) => void) | null = null;
    readonly #timer = setInterval(() => {
      tick += 1;
      const [last] = standings.toSorted((a, b) => a.votos - b.votos);
      if (last) last.votos += 17 + (tick % 7);
      this.onmessage?.(new MessageEvent('message', { data: JSON.stringify(standings) }));
    }, 100);
    close() {
      clearInterval(this.#timer);
    }
  }
  Object.assign(window, { EventSource: FakeEventSource });
}

/** Compares headline, chart and total in that many frames and more. Runs in the page. */
async function countDisagreements(frames: number) {
  const text = (selector: string) => document.querySelector(selector)?.textContent ?? '';
  const numbers = (said: string) => said.replaceAll('.', '').match(/\d+/g)?.map(Number) ?? [];
  const leaders = new Set<string>();
  const disagreements: string[][] = [];
  for (let frame = 0; frame < frames || (leaders.size < 3 && frame < 2_000); frame += 1) {
    await new Promise(requestAnimationFrame);
    const title = text('.standings-headline h2');
    const detail = text('.standings-headline p');
    const rows = [...document.querySelectorAll('ul[aria-hidden] > li:not(:last-child)')];
    const leading = rows.filter((row) => row.matches('[data-leader]'));
    const votes = rows.map((row) => numbers(row.querySelector('b')?.textContent ?? '')[0] ?? 0);
    const total = numbers(text('[data-status] > :nth-child(2)'))[0];
    const names = leading.map((row) => row.querySelector('bdi')?.textContent ?? '');
    const most = Math.max(...votes);
    const sum = votes.reduce((all, one) => all + one, 0);
    const isOne =
      names.every((name) => (names.length > 1 ? detail : title).includes(name)) &&
      numbers(detail).includes(most) &&
      (total ?? sum) === sum;
    if (names.length === 1) leaders.add(names.join());
    if (!isOne) disagreements.push([title, detail, ...names, String(votes), String(total)]);
  }
  return { leaders: leaders.size, disagreements };
}

test('W65 a bar that is pointed at stands out, in legend and by touch too', async ({ page }) => {
  await openInicio(page);
  const marked = page.locator('[aria-hidden] > [data-pointed]');
  const heading = page.getByRole('heading', { level: 1 });
  await legendEntry(page, 'Uno').hover();
  await expect(marked).toContainText('Uno');
  await expect(marked.locator('span:empty')).toHaveCSS('outline-style', 'solid');
  await heading.hover();
  await expect(marked).toHaveCount(0);
  const box = await chart(page).boundingBox();
  if (!box) throw new Error('The chart is not shown.');
  const middle = { x: box.x + box.width / 2, y: box.y + 0.42 * box.height };
  await page.mouse.move(middle.x, middle.y);
  await expect(marked).toContainText('Dos');
  await heading.hover();
  await expect(marked).toHaveCount(0);
  await page.touchscreen.tap(middle.x, middle.y);
  await expect(marked).toContainText('Dos');
});

test('W35 with forced colours the text changes, the bars do not', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'light' });
  await openInicio(page);
  await expect.poll(() => countPixels(page, 'CanvasText')).toBeGreaterThan(0);
  expect(await countPixels(page, 'var(--text-muted)')).toBe(0);
  await expect.poll(() => countPixels(page, SECOND_COLOR)).toBeGreaterThan(0);
});

test('W125 inicio is printed with the address, without bar and buttons', async ({ page }) => {
  await openInicio(page);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toBeHidden();
  await expect(page.getByRole('link', { name: texts.inicio.vote })).toBeHidden();
  // The page draws the bars itself, since engines disagree about canvases: each ends where its words begin.
  const row = page.locator('main li', { hasText: 'Dos' }).first();
  const bar = row.locator('span:empty');
  await expect(bar).toHaveCSS('background-image', /linear-gradient/);
  const box = await bar.boundingBox();
  const words = await row.locator('b').boundingBox();
  const gap = (words?.x ?? 0) - (box?.x ?? 0) - (box?.width ?? 0);
  expect(gap).toBeGreaterThan(0);
  expect(gap).toBeLessThan(20);
  await expect(page.getByText('goty.example/goty')).toBeVisible();
});
