import { resolve } from 'node:path';
import type { Ballot } from '@goty/functions/ballot';
import { openForOperator } from '@goty/functions/sqlite-database';
import { runProgram } from '@goty/functions/testing/program';
import { deskTexts } from '@goty/shared/desk-texts';
import { resultTexts } from '@goty/shared/result-texts';
import type { Locator, Page } from '@playwright/test';
import { test as base, expect, FAILED_REQUEST } from '../testing/goty-test.ts';
import { startStandalone } from '../testing/home.ts';
import { scan } from '../testing/scan.ts';

const GOTY = resolve(import.meta.dirname, '../../functions/cli/goty.ts');
const PHONE = { width: 390, height: 844 };

/** A home of its own: its vote closes. */
const test = base.extend<{ readonly evening: Awaited<ReturnType<typeof startEvening>> }>({
  async evening({ page }, use) {
    const evening = await startEvening();
    await use(evening);
    // It would ask on, of a server that is gone.
    await page.goto('about:blank');
    await evening.stop();
  },
});

async function startEvening() {
  const { address, environment, stop } = await startStandalone();
  const goty = async (...args: string[]) => {
    let said = '';
    const { exit, stdout } = runProgram([GOTY, ...args], environment);
    stdout.on('data', (chunk) => {
      said += String(chunk);
    });
    expect(await exit).toEqual([0, null]);
    return said;
  };
  const commit = async (length: number, ballotOf: (id: number) => Ballot) => {
    const store = openForOperator(environment.DATABASE);
    await store.commit(Array.from({ length }, (_, id) => ballotOf(id)));
    await store.close();
  };
  return {
    address,
    stop,
    goty,
    /** Opens a link on the page's own machine. */
    async link() {
      const [, code] = /#mesa=(\S+)/.exec(await goty('desk')) ?? [];
      return `${address}/inicio#mesa=${code}`;
    },
    /** Votes for two games in each of the last ten minutes, as a quiet evening has them. */
    quietly: () =>
      commit(100, (id) => ({
        id: `quiet-${id}`,
        game: id % 2 ? 'hades-2' : 'blue-prince',
        at: Date.now() - 60_000 * (1 + (id % 10)),
      })),
    /** All in one minute. */
    async stuff() {
      const at = Date.now();
      await commit(60, (id) => ({ id: `stuffed-${id}`, game: 'hades-2', at }));
    },
    async vote(game: string, count = 1) {
      for (let time = 0; time < count; time += 1) {
        await fetch(`${address}/api/goty/${game}`, { method: 'POST' });
      }
    },
  };
}

test('D7 D8 D9 an evening is run from a phone, without a terminal', async ({ page, evening }) => {
  const { address, goty, link, quietly, stuff, vote } = evening;
  await page.setViewportSize(PHONE);
  await quietly();
  await vote('blue-prince', 3);
  const soon = new Date(Date.now() + 1_200_000).toISOString();
  await goty('close', '--at', soon);
  // Also where another screen of inicio is open.
  await page.goto(`${address}/inicio#sala`);
  await expect(page.locator('main[data-scene]')).toBeVisible();
  await page.goto(await link());
  await page.getByRole('button', { name: deskTexts.open }).click();
  const desk = page.getByRole('region', { name: deskTexts.title });
  const winner = page.getByRole('heading', { name: resultTexts.wins('Blue Prince') });
  const press = (name: string, sure: string | RegExp) => pressTwice(desk, name, sure);

  await expect(desk).toContainText(deskTexts.vote(new URL(address).host));
  await expect(desk).toContainText(deskTexts.healthy);
  await expect(desk).toContainText(deskTexts.phases.open);
  expect(page.url()).toBe(`${address}/inicio`);
  await expect(rows(desk).first()).toHaveText(/^Blue Prince 53/);

  await press(deskTexts.later, /terminará/);
  await press(deskTexts.hide, deskTexts.hideSure);
  await expect(desk).toContainText(deskTexts.hidden.open);
  await stuff();
  await expect(rows(desk).first()).toHaveText(/^Hades II 110/);
  await expect(desk).toContainText(deskTexts.onlyYou);
  const { standings } = await (await fetch(`${address}/api/standings`)).json();
  expect(standings.find(({ id }: { id: string }) => id === 'hades-2').votos).toBe(50);

  await desk.getByRole('button', { name: deskTexts.traffic }).click();
  await expect(desk).toContainText(/60 votos, (quizá ninguno|uno quizá|unos \d+ quizá) auténtico/);
  await press(deskTexts.void, /Fuera del recuento: 60 votos/);
  await expect(desk).toContainText(/Votos anulados \(no se cuentan\): 60/);
  await desk.getByText(deskTexts.acts).click();
  await expect(desk.getByText(deskTexts.did.void)).toBeVisible();

  await press(deskTexts.close, deskTexts.closeSure(15_000));
  await expect(desk).toContainText(deskTexts.hidden.closed);
  await expect(winner).toHaveCount(0);
  await press(deskTexts.reveal, /\d votos?, todo cuadra\. /);
  await expect(winner).toBeVisible();
  await expect(desk).toContainText(deskTexts.shown.closed);

  await press(deskTexts.forget, deskTexts.forgetSure);
  await expect(desk).toHaveCount(0);
  await page.reload();
  await expect(winner).toBeVisible();
  await expect(desk).toHaveCount(0);
});

test('D1 D5 an old link says so, and the key is in no address, file or header but its own', async ({
  page,
  evening,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  await evening.vote('hades-2');
  const link = await evening.link();
  const sent: { url: string; referer: string | undefined; authorization: string | undefined }[] =
    [];
  page.on('request', async (request) => {
    const { referer, authorization } = await request
      .allHeaders()
      .catch(() => ({}) as Record<string, string>);
    sent.push({ url: request.url(), referer, authorization });
  });
  await page.goto(link);
  await page.getByRole('button', { name: deskTexts.open }).click();
  await expect(page.getByText(deskTexts.healthy)).toBeVisible();
  const key = await page.evaluate(() => localStorage.getItem('mesa') ?? '');
  expect(key).toMatch(/^[\w-]{43}$/);
  const code = link.split('=')[1] ?? '';
  for (const { url, referer, authorization } of sent) {
    expect(`${url} ${referer}`).not.toContain(key);
    if (url !== link) expect(`${url} ${referer}`).not.toContain(code);
    if (!url.includes('/api/desk')) expect(authorization).toBeUndefined();
  }
  // Others who open the link, or have no link, load nothing of the desk but its first lines.
  const other = await page.context().browser()?.newPage();
  await other?.goto(link);
  await other?.getByRole('button', { name: deskTexts.open }).click();
  await expect(other?.getByText(deskTexts.oldLink) ?? page.locator('main')).toBeVisible();
  const files: string[] = [];
  const visitor = await page.context().browser()?.newPage();
  visitor?.on('request', (request) => files.push(request.url()));
  await visitor?.goto(`${evening.address}/inicio`);
  await expect(
    visitor?.getByRole('table', { name: resultTexts.tableCaption }) ?? page.locator('main'),
  ).toBeAttached();
  expect(files.filter((url) => /desk/.test(url))).toEqual([]);
  await other?.close();
  await visitor?.close();
});

test('D11 a helper scans a code of the desk, is on its list, and is told when its access ends', async ({
  page,
  evening,
  expectedErrors,
  browser,
}) => {
  const { address, goty, link } = evening;
  await page.setViewportSize(PHONE);
  await page.goto(await link());
  await page.getByRole('button', { name: deskTexts.open }).click();
  const desk = page.getByRole('region', { name: deskTexts.title });
  await expect(desk.getByText(deskTexts.browsers('1'))).toBeVisible();
  await pressTwice(desk, deskTexts.invite, deskTexts.inviteSure);
  const code = desk.getByRole('img', { name: deskTexts.qrCode });
  await expect(code).toBeInViewport();
  const reader = await page.context().newPage();
  const scanned = await scan(reader, code);
  await reader.close();
  expect(scanned).toMatch(/^https:\/\/goty\.example\/inicio#mesa=[\w-]{22}$/);
  await expect(desk.getByText(scanned)).toBeVisible();

  const helper = await browser.newPage({ viewport: PHONE });
  await helper.goto(`${address}/inicio${new URL(scanned).hash}`);
  await helper.getByRole('button', { name: deskTexts.open }).click();
  const second = helper.getByRole('region', { name: deskTexts.title });
  await expect(second.getByText(deskTexts.healthy)).toBeVisible();
  // It was for one browser.
  await expect(code).toHaveCount(0);
  await desk.getByText(deskTexts.browsers('2')).click();
  await expect(desk.getByText(/^Entró/)).toHaveCount(2);
  await expect(desk.getByText(/ · este navegador$/)).toHaveCount(1);
  await pressTwice(desk, deskTexts.revoke, deskTexts.revokeSure);
  await expect(desk.getByText(deskTexts.browsers('1'))).toBeVisible();
  await expect(helper.getByText(deskTexts.ended)).toBeVisible();
  await expect(second).toHaveCount(0);
  expect(await helper.evaluate(() => localStorage.getItem('mesa'))).toBeNull();
  await helper.close();

  await desk.getByText(deskTexts.acts).click();
  for (const done of [deskTexts.did.invite, deskTexts.did.revoke]) {
    await expect(desk.getByText(`${done}: ${deskTexts.by.desk}`)).toBeVisible();
  }
  const record = await goty('record');
  expect(record).toMatch(/, desk: invite\n.*, desk: revoke\n/);
  expect(record).not.toContain(new URL(scanned).hash.split('=')[1] ?? '');
  expectedErrors.push(FAILED_REQUEST);
});

test('D12 a vote that is late opens later, and one that was closed too early opens again', async ({
  page,
  evening,
}) => {
  const { address, goty, link, vote } = evening;
  await page.setViewportSize(PHONE);
  const opensAt = Date.now() + 300_000;
  await goty('times', '--opens', new Date(opensAt).toISOString());
  await page.goto(await link());
  await page.getByRole('button', { name: deskTexts.open }).click();
  const desk = page.getByRole('region', { name: deskTexts.title });
  const statusOf = async () => (await fetch(`${address}/api/standings`)).json();
  await pressTwice(desk, deskTexts.startLater, /La votación empezará/);
  await expect.poll(async () => (await statusOf()).opensAt).toBe(Math.floor(opensAt) + 300_000);

  await goty('open');
  await expect(desk.getByRole('heading', { name: deskTexts.phases.open })).toBeVisible();
  await expect(desk.getByRole('button', { name: deskTexts.startLater })).toHaveCount(0);
  await vote('blue-prince', 2);
  await expect(rows(desk).first()).toHaveText(/^Blue Prince 2/);
  await pressTwice(desk, deskTexts.close, deskTexts.closeSure(15_000));
  await expect(desk).toContainText(deskTexts.hidden.closed);
  await pressTwice(desk, deskTexts.reopen, deskTexts.reopenSure);
  await expect(desk.getByRole('heading', { name: deskTexts.phases.open })).toBeVisible();
  await vote('blue-prince', 3);
  await expect(rows(desk).first()).toHaveText(/^Blue Prince 5/);
  await goty('close');
  await pressTwice(desk, deskTexts.reveal, /5 votos, todo cuadra\. /);
  await expect(page.getByRole('heading', { name: resultTexts.wins('Blue Prince') })).toBeVisible();
  await expect(desk.getByRole('button', { name: deskTexts.reopen })).toHaveCount(0);
});

/** Presses a button, and again once it has said what will happen. */
async function pressTwice(desk: Locator, name: string, sure: string | RegExp) {
  await desk.getByRole('button', { name: new RegExp(`^${name}(:|$)`) }).click();
  const group = desk.getByRole('group', { name, exact: true });
  await expect(group.getByText(sure)).toBeVisible();
  // The second press of a double click is none.
  await expect(async () => {
    if ((await group.count()) > 0) {
      await group.getByRole('button', { name, exact: true }).click({ timeout: 5_000 });
    }
    await expect(group).toHaveCount(0, { timeout: 300 });
  }).toPass();
}

function rows(of: Page | Locator) {
  return of.locator('ol li');
}
