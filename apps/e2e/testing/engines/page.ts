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
    async resize(width: number, height: number) {
      await driver.resize(width, height);
      await until(`${width} px`, () => evaluate((px) => window.innerWidth === px, width));
    },
    /**
     * Clicks an element in its middle, once it is there, nothing covers it, and it does not move. If the element moves before the
     * click comes, the click does nothing, and another one follows.
     */
    async click(selector: string) {
      let last = '';
      await until(selector, async () => {
        const found = await evaluate(placeOf, selector);
        const isStill = JSON.stringify(found) === last;
        last = JSON.stringify(found);
        if (!found || !isStill) return false;
        await evaluate(guardClick, selector);
        await driver.click(found.x, found.y);
        // While the documents change, there may be none to ask.
        const ask = () => evaluate(endClick).catch(() => undefined);
        return (await until(`a click on ${selector}`, ask)) === 'hit';
      });
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

/** Lets a click on anything but the element do nothing. Runs in the page. */
function guardClick(selector: string) {
  const guarded = document.querySelector(selector);
  const guard = { ended: new AbortController(), result: '' };
  Object.assign(window, { guard });
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
    const check = (event: Event) => {
      const isHit = event.target instanceof Node && guarded?.contains(event.target) === true;
      guard.result = isHit && guard.result !== 'missed' ? 'hit' : 'missed';
      if (isHit) return;
      event.stopImmediatePropagation();
      event.preventDefault();
    };
    window.addEventListener(type, check, { capture: true, signal: guard.ended.signal });
  }
}

/**
 * Returns whether the guarded click has hit or missed; empty if it has not come yet. A new document has no guard, because the
 * click has hit and led there. Runs in the page.
 */
function endClick(): string {
  const guard = Reflect.get(window, 'guard');
  if (guard === undefined) return 'hit';
  if (guard.result !== '') guard.ended.abort();
  return guard.result;
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
