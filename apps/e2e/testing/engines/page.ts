import { setTimeout as sleep } from 'node:timers/promises';
import type { Driver } from './driver.ts';

const POLL_MS = 50;
/** So long that only an element that never comes exceeds it. */
const PATIENCE_MS = 60_000;

/** A page in any of the engines. Elements are named by CSS selectors. */
export function createPage(driver: Driver, origin: string) {
  /** Runs a function in the page, which sees nothing but its arguments. Nothing would wait for a promise that it returned. */
  async function evaluate<Result, Args extends readonly unknown[]>(
    run: (...args: Args) => Result extends PromiseLike<unknown> ? never : Result,
    ...args: Args
  ): Promise<Result> {
    const expression = `JSON.stringify((${run})(...${JSON.stringify(args)}) ?? null)`;
    return JSON.parse(await driver.evaluate(expression));
  }

  async function load(url: string) {
    await evaluate(() => Object.assign(window, { isOld: true }) && undefined);
    await driver.navigate(url);
    const isNew = () => evaluate(() => !('isOld' in window) && document.body !== null);
    // While the documents change, there may be none to ask.
    await until(url, () => isNew().catch(() => false));
  }

  return {
    ...driver,
    evaluate,
    /** Loads a path. Resolves once the new document has begun. */
    open: (path: string) => load(origin + path),
    leave: () => load('about:blank'),
    /** The text of an element, empty if it is not shown. */
    text: (selector: string) => evaluate(shownText, selector),
    /** Clicks an element in its middle, once it is there, nothing covers it, and it does not move. */
    async click(selector: string) {
      let last = '';
      const place = await until(selector, async () => {
        const found = await evaluate(placeOf, selector);
        const isStill = JSON.stringify(found) === last;
        last = JSON.stringify(found);
        return isStill ? found : undefined;
      });
      await driver.click(place.x, place.y);
    },
  };
}

async function until<T>(what: string, ask: () => Promise<T>): Promise<NonNullable<T>> {
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const answer = await ask();
    if (answer) return answer;
    await sleep(POLL_MS);
  }
  throw new Error(`Waited in vain for ${what}.`);
}

/** Runs in the page. */
function shownText(selector: string): string {
  const element = document.querySelector(selector);
  return (element?.checkVisibility() && element.textContent) || '';
}

/** The middle of an element, if nothing covers it. Runs in the page. */
function placeOf(selector: string) {
  const element = document.querySelector(selector);
  element?.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = element?.getBoundingClientRect();
  if (!element || !box) return undefined;
  const x = Math.round(box.x + box.width / 2);
  const y = Math.round(box.y + box.height / 2);
  return element.contains(document.elementFromPoint(x, y)) ? { x, y } : undefined;
}
