import { test as base, expect } from '@playwright/test';
import type { Driver } from './driver.ts';
import { ENGINES } from './engines.ts';
import { startVisits, type Visit, type VisitSettings } from './visit.ts';

/** How often a page is asked again, in milliseconds. Each question takes some of the page's processor time. */
const ASK_AGAIN_MS = 150;

/** The engine of this worker, once it has started: that takes as much time as a test. */
let driver: Promise<Driver> | undefined;

export const test = base.extend<object, { readonly endEngines: undefined }>({
  endEngines: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires an object pattern here
    async ({}, use) => {
      await use(undefined);
      await (await driver)?.close();
    },
    { auto: true, scope: 'worker' },
  ],
});

interface InstalledEngine {
  readonly name: string;
  /** The promise of SPEC.md that the page works in this engine. */
  readonly promise: string;
  /** Starts the engine, unless this worker has done so, and a home of its own for visits. */
  readonly start: (settings?: VisitSettings) => ReturnType<typeof startVisits>;
}

/**
 * Calls `declare` for each engine. For one that is not installed, declares a skipped test that says what to install.
 *
 * @param promises the codes of SPEC.md that stand before that of the engine, each with a space behind it
 */
export function forEachEngine(promises: string, declare: (engine: InstalledEngine) => void) {
  for (const { name, promise, launch, packages } of ENGINES) {
    if (!launch) {
      // biome-ignore lint/suspicious/noSkippedTests: there is nothing to run it in
      test(`${promises}${promise} ${name} is not installed: ${packages}`, () => test.skip());
      continue;
    }
    const start = (settings?: VisitSettings) => {
      driver ??= launch();
      return startVisits(driver, settings);
    };
    declare({ name, promise, start });
  }
}

/** Asks again and again, until the answer is as expected. */
export function eventually<T>(ask: () => Promise<T>) {
  return expect.poll(ask, { intervals: [ASK_AGAIN_MS] });
}

/** Asks again and again for the text of an element. */
export function shown({ page }: Pick<Visit, 'page'>, selector: string) {
  return eventually(() => page.text(selector));
}

/** Watches from now on whether an element contains a text, which may be there for too short a time to be asked for. */
export async function watch({ page }: Pick<Visit, 'page'>, selector: string, text: string) {
  await page.evaluate(markText, selector, text);
  return { appears: () => eventually(() => page.evaluate(isMarked, text)).toBe(true) };
}

/** Runs in the page. */
function markText(selector: string, text: string) {
  new MutationObserver(() => {
    if (document.querySelector(selector)?.textContent?.includes(text)) performance.mark(text);
  }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
}

/** Runs in the page. */
function isMarked(text: string) {
  return performance.getEntriesByName(text).length > 0;
}
