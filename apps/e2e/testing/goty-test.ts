import { resultTexts } from '@goty/shared/result-texts';
import { test as base, type Locator, type Page } from '@playwright/test';
import { type Home, startCloud, startStandalone } from './home.ts';
import { createLiveBackend, type LiveBackend } from './live-backend.ts';

export const GAME = 'Hades II';

export interface HomeOptions {
  readonly homeName: 'standalone' | 'cloud';
  /** Why no test can run, or empty. */
  readonly browserSkipReason: string;
}

interface WorkerFixtures extends HomeOptions {
  /** The home under test: one for each worker, so that its tests are alone with it. */
  readonly home: Home;
}

interface Fixtures {
  readonly skipOrCheckHome: undefined;
  /** `host:port` of the Firestore emulator in the cloud home, else empty. */
  readonly firestore: string;
  /** Patterns of the console errors that the test expects. */
  readonly expectedErrors: RegExp[];
  readonly live: LiveBackend;
}

/** The requests for the nominee list, also for one that has changed. */
export const NOMINEES = /\/api\/goty(\?|$)/;
/** The votes for `GAME`. */
export const VOTE = '**/api/goty/hades-2';

/** A Playwright test that fails on uncaught and console errors not listed in `expectedErrors`. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  homeName: ['standalone', { option: true, scope: 'worker' }],
  browserSkipReason: ['', { option: true, scope: 'worker' }],
  home: [
    async ({ homeName }, use) => {
      const home = await (homeName === 'cloud' ? startCloud() : startStandalone());
      await use(home);
      if (home.state === 'running') await home.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  skipOrCheckHome: [
    async ({ home, browserSkipReason }, use, testInfo) => {
      const reason = home.state === 'missing' ? home.advice : browserSkipReason;
      testInfo.skip(reason !== '', reason);
      await use(undefined);
      if (home.state === 'running' && home.hasEnded()) {
        throw new Error(`The server has stopped by itself:\n${await home.stderr}`);
      }
    },
    { auto: true },
  ],
  baseURL: ({ home }, use) => use(home.state === 'running' ? home.address : undefined),
  firestore: ({ home }, use) => use(home.state === 'running' ? home.firestore : ''),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern here
  expectedErrors: async ({}, use) => use([]),
  context: async ({ context, expectedErrors }, use) => {
    const errors: string[] = [];
    context.on('weberror', (error) => errors.push(error.error().message));
    context.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await context.addInitScript(bePatient);
    await use(context);
    // A handler that is still rewriting a response would fail when the page is closed.
    await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    const unexpected = errors.filter((text) => !expectedErrors.some((known) => known.test(text)));
    base.expect(unexpected).toEqual([]);
  },
  live: ({ page, homeName }, use) => use(createLiveBackend(page, homeName)),
});

export const { expect } = base;

/** What Chromium and the Firestore SDK log for every failed request. */
export const FAILED_REQUEST = /Failed to load resource|Could not reach Cloud Firestore backend/;

/** The chart. It is rendered once there are standings. */
export function chart(page: Page): Locator {
  return page.getByRole('img', { name: resultTexts.chartLabel });
}

export function votesCell(page: Page, game: string): Locator {
  const table = page.getByRole('table', { name: resultTexts.tableCaption });
  return table.getByRole('row', { name: game }).getByRole('cell').first();
}

export function voteButton(page: Page, game: string = GAME): Locator {
  return page.getByRole('article', { name: game }).getByRole('button');
}

/** The dialog with the outcome of a vote; `title` is 'Gracias' or 'Ooops'. */
export function outcomeDialog(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title });
}

/**
 * Gives the dialog's files a minute, rather than 5 s, before the page shows a plain dialog, and an answer as long, rather than
 * 10 s, before the page gives it up: on a busy machine both take longer. Runs in the page.
 */
export function bePatient() {
  const set = window.setTimeout;
  const setPatient = (run: TimerHandler, ms?: number, ...args: unknown[]) =>
    set(run, ms === 5_000 || ms === 10_000 ? 60_000 : ms, ...args);
  Object.assign(window, { setTimeout: setPatient });
}

/** Waits for React, in the newest document: the one before may still be there. */
export function untilHydrated(page: Page) {
  return expect.poll(() => page.evaluate(hasReact).catch(() => false)).toBe(true);
}

/** Whether React has started to hydrate the prerendered HTML. Runs in the page. */
export function hasReact(): boolean {
  const root = document.getElementById('root') ?? {};
  return Object.keys(root).some((key) => key.startsWith('__reactContainer'));
}

/** Remembers each burst of confetti, however short it is, as a mark 'burst'. Runs in the page. */
export function markBursts() {
  new MutationObserver(() => {
    if (document.querySelector('.burst')) performance.mark('burst');
  }).observe(document, { childList: true, subtree: true });
}
