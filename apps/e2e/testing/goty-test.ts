import { texts } from '@goty/shared/texts';
import { test as base, type Locator, type Page } from '@playwright/test';
import { type LiveHands, openFirestoreHands, openStreamHands } from './live-hands.ts';

/** What differs between the projects of playwright.config.ts. */
export interface HomeOptions {
  /** Why nothing can be tested here, or empty. */
  readonly missing: string;
  /** `host:port` of the emulator where the home is the cloud, else empty. */
  readonly firestore: string;
}

interface Fixtures {
  readonly installed: undefined;
  /** Patterns of console errors that a test brings about on purpose. */
  readonly expectedErrors: RegExp[];
  /** The other end of the page's live results. */
  readonly live: LiveHands;
}

/** A Playwright test that fails on every error in the console of a page that it did not announce. */
export const test = base.extend<Fixtures & HomeOptions>({
  missing: ['', { option: true }],
  firestore: ['', { option: true }],
  installed: [
    async ({ missing }, use, testInfo) => {
      testInfo.skip(missing !== '', missing);
      await use(undefined);
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
  expectedErrors: async ({}, use) => use([]),
  context: async ({ context, expectedErrors }, use) => {
    const errors: string[] = [];
    context.on('weberror', (error) => errors.push(error.error().message));
    context.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await use(context);
    const unexpected = errors.filter((text) => !expectedErrors.some((known) => known.test(text)));
    base.expect(unexpected).toEqual([]);
  },
  live: async ({ page, firestore }, use) => {
    await use(firestore === '' ? openStreamHands(page) : openFirestoreHands(page, firestore));
  },
});

export const { expect } = base;

/** What Chromium, and Firestore's SDK, write to the console for every request that fails. */
export const FAILED_REQUEST = /Failed to load resource|Could not reach Cloud Firestore backend/;

/** The chart; there is none until there is a standing. */
export function chart(page: Page): Locator {
  return page.getByRole('img', { name: texts.inicio.chartLabel });
}

/** The cell with a game's votes in the chart's table. */
export function votesCell(page: Page, game: string): Locator {
  const table = page.getByRole('table', { name: texts.inicio.tableCaption });
  return table.getByRole('row', { name: game }).getByRole('cell');
}

/** The votes that the chart's table shows for a game. */
export async function shownVotes(page: Page, game: string): Promise<number> {
  const text = await votesCell(page, game).textContent();
  return Number(text?.replaceAll(/\D/g, ''));
}

/** How that number of votes is shown. */
export function asVotes(count: number): string {
  return `${count} ${count === 1 ? 'voto' : 'votos'}`;
}

export function voteButton(page: Page, game: string): Locator {
  return page.getByRole('article', { name: game }).getByRole('button');
}

/** The dialog of that title. */
export function outcome(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title });
}

/** Whether React has taken over the HTML that came. */
export function isHydrated(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const root = document.getElementById('root') ?? {};
    return Object.keys(root).some((key) => key.startsWith('__reactContainer'));
  });
}
