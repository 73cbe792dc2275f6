import type { Standing } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { test as base, type Locator, type Page } from '@playwright/test';

interface Fixtures {
  readonly installed: undefined;
  /** Patterns of console errors that a test brings about on purpose. */
  readonly expectedErrors: RegExp[];
}

/** A Playwright test that fails on every error in the console of a page that it did not announce. */
export const test = base.extend<Fixtures>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern
    async ({}, use, testInfo) => {
      testInfo.skip(
        !process.env.GOTY_E2E_BROWSER,
        'Install Chromium or Chrome, or set CHROME_PATH.',
      );
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
});

export const { expect } = base;

/** What Chromium writes to the console for every request that fails. */
export const FAILED_REQUEST = /Failed to load resource/;

/** Puts a standing of the test's own in the place of the live results. */
export async function fakeStanding(page: Page, standings: readonly Partial<Standing>[]) {
  await page.addInitScript((data) => {
    class FakeEventSource extends EventTarget {
      onmessage: ((event: MessageEvent) => void) | null = null;
      constructor() {
        super();
        setTimeout(() => this.onmessage?.(new MessageEvent('message', { data })));
      }
      close() {}
    }
    Object.assign(window, { EventSource: FakeEventSource });
  }, JSON.stringify(standings));
}

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
