import type { DeskReport, DeskResponse } from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { gotyTexts } from '@goty/shared/goty-texts';
import { resultTexts } from '@goty/shared/result-texts';
import { apiTexts, texts } from '@goty/shared/texts';
import type { Locator, Page } from '@playwright/test';
import { expect, NOMINEES, outcomeDialog, VOTE, voteButton } from './goty-test.ts';
import { buildAnswer, type FakeStatus, type LiveBackend } from './live-backend.ts';
import { gate } from './network.ts';
import { closeDialog, openGoty, openInicio } from './steps.ts';

/** Steps by the names of the states that they lead to. Each waits until its state is shown. */
type Steps = Record<string, () => Promise<void>>;

/** The visits that lead through every state of the page. */
export const VISITS: Record<string, (at: { page: Page; live: LiveBackend }) => Steps> = {
  'inicio and its connection': ({ page, live }) => ({
    inicio: () => openInicio(page),
    async 'inicio with a lost connection'() {
      await page.context().setOffline(true);
      await expect(page.getByText(texts.inicio.status.offline)).toBeVisible();
      await page.context().setOffline(false);
    },
    async 'inicio loading'() {
      for (const url of [live.push, live.poll]) await page.route(url, () => {});
      await open(page, '/inicio', page.locator('main').getByText(texts.inicio.status.loading));
    },
    async 'inicio without a connection'() {
      for (const url of [live.push, live.poll]) await page.route(url, (route) => route.abort());
      await open(page, '/inicio', page.getByText(texts.inicio.offlineEmpty));
    },
  }),
  'inicio and its games': ({ page, live }) => ({
    async 'inicio empty'() {
      await live.fakeStandings([]);
      await open(page, '/inicio', page.getByText(texts.states.empty));
    },
    async 'inicio with thirty games'() {
      await live.fakeStandings(thirtyGames());
      await openInicio(page);
    },
    async 'inicio without votes'() {
      await live.fakeStandings(thirtyGames().map((game) => ({ ...game, votos: 0 })));
      await open(page, '/inicio', page.getByRole('heading', { name: resultTexts.none }));
    },
  }),
  'inicio and its times': ({ page, live }) => {
    const status: FakeStatus = { opensAt: Date.now() + 100_000_000 };
    return {
      async 'inicio before the opening'() {
        await live.fakeStandings(thirtyGames().slice(0, 8), status);
        await open(page, '/inicio', page.getByRole('timer'));
        await expect(page.locator('[role="timer"] > *').first()).toHaveCSS('display', 'grid');
      },
      async 'inicio after the close'() {
        Object.assign(status, { opensAt: 0, closesAt: 1, final: true });
        await askForStatus(page);
        await expect(page.getByRole('heading', { name: /es el juego del año/ })).toBeVisible();
      },
    };
  },
  'the stage': ({ page, live }) => {
    const status: FakeStatus = { closesAt: Date.now() + 3_000_000 };
    const isAt = (scene: string) => expect(page.locator(`[data-scene=${scene}]`)).toBeVisible();
    return {
      async 'the stage live'() {
        await live.fakeStandings(thirtyGames(), status);
        await page.goto('/inicio#sala');
        await expect(page.locator('[data-scene=live] li').first()).toBeVisible();
      },
      async 'the stage with a result that is held'() {
        Object.assign(status, { closesAt: 2, frozenAt: 1 });
        await askForStatus(page);
        await isAt('held');
      },
      async 'the stage with a podium'() {
        delete status.frozenAt;
        Object.assign(status, { final: true, changes: 1 });
        await isAt('podium');
      },
    };
  },
  'goty and its nominees': ({ page }) => ({
    async 'goty loading'() {
      await page.route(NOMINEES, () => {});
      await open(page, '/goty', page.locator('main').getByText(texts.inicio.status.loading));
    },
    async 'goty with thirty games'() {
      const json = thirtyGames().map(({ id, name }) => ({ id, name, url: '/trophy.svg' }));
      await page.route(NOMINEES, (route) => route.fulfill({ json }));
      await open(page, '/goty', page.getByRole('searchbox'));
      await page.getByRole('searchbox').fill('10');
      await expect(page.getByRole('article')).toHaveCount(1);
    },
    'goty failed': () => openGotyWith(page, { status: 500 }, texts.goty.failed),
    'goty empty': () => openGotyWith(page, { json: [] }, texts.states.empty),
  }),
  'goty and its codes': ({ page, live }) => ({
    async 'goty without a code'() {
      await live.fakeStandings([], { onePerVisitor: true, needsCode: true });
      await open(page, '/goty', page.getByRole('textbox', { name: gotyTexts.code.label }));
    },
    async 'goty with a valid code'() {
      const json = { ok: true, mensaje: apiTexts.codeValid };
      await page.route('**/api/code', (route) => route.fulfill({ json }));
      await page.getByRole('textbox').fill('0A1B-2C3D-4E5F-6G7H');
      await page.keyboard.press('Enter');
      await expect(page.getByText(apiTexts.codeValid)).toBeVisible();
    },
  }),
  "the operator's desk": ({ page, live }) => {
    const now = Date.now();
    const button = (name: string) => page.getByRole('button', { name });
    return {
      async 'the desk of an open vote'() {
        await live.fakeStandings(thirtyGames().slice(0, 8));
        await openDesk(page, {});
      },
      async 'the desk before a close'() {
        await button(deskTexts.close).click();
        await expect(page.getByText(deskTexts.closeSure(15_000))).toBeVisible();
      },
      async 'the desk with votes that may be stuffed'() {
        const run = { game: 'game-1', from: now - 600_000, to: now - 480_000 };
        const json = [{ ...run, votos: 246, expected: 10 }];
        await page.route('**/api/desk/traffic', (route) => route.fulfill({ json }));
        await button(deskTexts.traffic).click();
        await button(deskTexts.void).click();
        await expect(
          page.getByText(deskTexts.voidSure(deskTexts.genuine('246 votos', '10'))),
        ).toBeVisible();
      },
      async 'the desk with all that was done'() {
        await page.getByText(deskTexts.acts).click();
        await expect(button(deskTexts.undo)).toBeVisible();
      },
      async 'the desk before the opening'() {
        await openDesk(page, { times: { opensAt: now + 7_200_000, closesAt: undefined } });
      },
      async 'the desk of a frozen vote that closes'() {
        const times = { opensAt: undefined, closesAt: now + 3_600_000, frozenAt: now - 60_000 };
        const cancel = { closesAt: now + 3_700_000 };
        await openDesk(page, { times, cancel, isHealthy: false });
      },
      async 'the desk of a held result'() {
        const times = { opensAt: undefined, closesAt: now - 60_000, frozenAt: now - 60_000 };
        await openDesk(page, { times, voided: 246 });
        await button(deskTexts.reveal).click();
        await expect(page.getByText(/todo cuadra/)).toBeVisible();
      },
      async 'the desk after a press that failed'() {
        await openDesk(page, {});
        await page.route('**/api/desk', (route) =>
          route.request().method() === 'POST' ? route.abort() : route.fallback(),
        );
        await button(deskTexts.later).click();
        const group = page.getByRole('group', { name: deskTexts.later });
        await expect(async () => {
          if (await group.isVisible()) await group.getByRole('button').first().click();
          await expect(page.getByText(deskTexts.perhapsDone)).toBeVisible({ timeout: 1_000 });
        }).toPass();
      },
      async 'the desk without a connection'() {
        await page.route('**/api/desk*', (route) => route.abort());
        await expect(page.getByText(deskTexts.lost)).toBeVisible();
      },
      async 'the desk that was ended'() {
        await openDesk(page, {});
        const json = { ok: false, mensaje: deskTexts.ended };
        await page.route('**/api/desk*', (route) => route.fulfill({ status: 401, json }));
        await expect(page.getByText(deskTexts.ended)).toBeVisible();
      },
      async 'the desk of a link'() {
        await page.goto('/goty');
        await open(page, '/inicio#mesa=code', page.getByRole('button', { name: deskTexts.open }));
      },
    };
  },
  'goty and its times': ({ page, live }) => {
    const status: FakeStatus = { opensAt: Date.now() + 100_000_000 };
    return {
      async 'goty before the opening'() {
        await live.fakeStandings([], status);
        await open(page, '/goty', page.getByRole('timer'));
      },
      async 'goty just opened, for the last hour'() {
        Object.assign(status, { opensAt: 1, closesAt: Date.now() + 3_000_000 });
        await askForStatus(page);
        await expect(page.getByText(resultTexts.nowOpen)).toBeVisible();
      },
    };
  },
  'goty and a vote': ({ page }) => {
    let openVote = () => {};
    return {
      goty: () => openGoty(page),
      async 'goty while voting'() {
        openVote = await gate(page, VOTE);
        await voteButton(page).click();
        await expect(voteButton(page)).toHaveText(texts.goty.voting);
      },
      async 'goty with the dialog Gracias'() {
        openVote();
        await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
      },
      async 'goty after a vote'() {
        await closeDialog(page);
        await expect(page.getByText(texts.goty.yourVote, { exact: true })).toBeVisible();
      },
      async 'goty with the dialog Ooops'() {
        await page.route(VOTE, (route) => route.fulfill({ status: 500 }));
        await voteButton(page).click();
        await expect(outcomeDialog(page, 'Ooops')).toBeVisible();
      },
    };
  },
};

/** The desk with this state, which every act leaves as it is. The page is told the same games. */
async function openDesk(page: Page, state: Partial<DeskReport>) {
  const start = Date.now();
  const respond = (): DeskResponse => {
    const report = { ...buildDesk(start), ...state, now: Date.now() };
    const { endsAtClose, ...times } = report.times;
    return { ...report, publicAnswer: buildAnswer(report.games, times) };
  };
  await page.route('**/api/desk*', (route) => route.fulfill({ json: respond() }));
  await page.addInitScript(() => localStorage.setItem('mesa', 'a key'));
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/inicio', page.getByRole('region', { name: deskTexts.title }));
}

async function open(page: Page, path: '/inicio' | '/inicio#mesa=code' | '/goty', shown: Locator) {
  await page.goto(path);
  await expect(shown).toBeVisible();
}

/** Opens goty with this answer to its request for the list, which comes before React. */
async function openGotyWith(page: Page, answer: { status?: number; json?: [] }, told: string) {
  const openMain = await gate(page, '**/assets/main-*.js');
  await page.route(NOMINEES, (route) => route.fulfill(answer));
  const list = page.waitForResponse(NOMINEES);
  await page.goto('/goty');
  await list;
  openMain();
  await expect(page.getByText(told)).toBeVisible();
}

/** Lets the page ask for the status at once, as when its connection is back, and not in 3 s. */
export async function askForStatus(page: Page) {
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}

/** More games than fit into the chart. */
export function thirtyGames() {
  return Array.from({ length: 30 }, (_, index) => ({
    id: `game-${index}`,
    name: `Juego número ${index + 1}`,
    votos: (index * 37) % 100,
  }));
}

function buildDesk(now: number): DeskReport {
  const range = { from: now - 900_000, to: now - 840_000 };
  const closesAt = now + 1_800_000;
  return {
    now,
    times: { opensAt: undefined, closesAt },
    timesRevision: '',
    games: thirtyGames().slice(0, 8),
    voided: 60,
    faults: 0,
    isHealthy: true,
    noticeMs: 15_000,
    browsers: [
      { id: 'helper', since: now - 300_000, isThis: false },
      { id: 'this', since: now - 1_200_000, isThis: true },
    ],
    acts: [
      {
        id: 'void',
        at: now - 60_000,
        by: 'desk',
        what: 'void',
        votes: 60,
        left: 60,
        games: ['game-2'],
        ranges: [range],
      },
      {
        id: 'times',
        at: now - 120_000,
        by: 'command',
        what: 'times',
        before: {},
        after: { closesAt },
      },
      { id: 'init', at: now - 180_000, by: 'server', what: 'init' },
    ],
  };
}
