import { deskTexts } from '@goty/shared/desk-texts';
import { resultTexts, shareButtonTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { expect } from '@playwright/test';
import {
  eventually,
  forEachEngine,
  shown,
  test,
  watch,
} from '../../testing/engines/engine-test.ts';
import { colorsOf } from '../../testing/engines/paper.ts';
import type { Visit } from '../../testing/engines/visit.ts';
import { bePatient, hasReact, markBursts } from '../../testing/goty-test.ts';

// What has to work in every engine, told once. Everything else is tested in Chromium.

const CARD = '[aria-labelledby="name-hades-2"]';
const BUTTON = '#vote-hades-2';
const DESK = `[aria-label="${deskTexts.title}"]`;
/** A button of the desk that says what its next press will do. */
const ARMED = `${DESK} fieldset`;
const DIALOG = '[role="dialog"]';
const TITLE = '.swal2-title';
const CONFIRM = '.swal2-confirm';
const PLACE = '.goty-place';
const STATUS = '[data-status] [role="status"]';
const HEADLINE = 'main h2';
/** The votes of the game that comes first in the chart. */
const FIRST_VOTES = 'main li b';
const LEGEND = `[aria-label="${resultTexts.legendLabel}"] li`;
const MAIN = /\/assets\/main-.*\.js/;
const VOTE = /\/api\/goty\/hades-2$/;
/** What engines report of requests that are lost. */
const LOST = /Failed to load resource|can’t establish a connection|was interrupted/;

/** The checks, in their order: after the last one, the vote is over. */
const CHECKS: Record<string, (visit: Visit) => Promise<void>> = {
  async 'any path leads to inicio: headline, chart, legend, table, and votes as they come'(visit) {
    const { page } = visit;
    const before = await visit.votos('blue-prince');
    await page.open('/nothing/here');
    await eventually(() => page.evaluate(countColors)).toBeGreaterThan(1_000);
    expect(await page.evaluate(() => window.location.pathname)).toBe('/inicio');
    expect(await page.text('h1')).toBe(texts.inicio.heading);
    await shown(visit, HEADLINE).toBe(resultTexts.leads('Split Fiction'));
    await eventually(() => count(visit, LEGEND)).toBe(8);
    await eventually(() => count(visit, 'tbody tr')).toBe(8);
    await shown(visit, FIRST_VOTES).toBe(`${before}`);
    await visit.vote('blue-prince');
    await shown(visit, FIRST_VOTES).toBe(`${before + 1}`);
    await fitsIntoPhones(visit);
  },
  async 'in a hall the stage fills the screen, also an upright one, and nothing overlaps'(visit) {
    await visit.page.resize(1920, 1080);
    await visit.page.open('/inicio#sala');
    await eventually(() => count(visit, '[data-scene="live"] li')).toBe(8);
    expect(await count(visit, 'header')).toBe(0);
    for (const [width, height] of [
      [1920, 1080],
      [675, 1200],
    ] as const) {
      await visit.page.resize(width, height);
      await eventually(() => visit.page.evaluate(overflow)).toEqual({ width: 0, height: 0 });
      await eventually(() => visit.page.evaluate(overlaps)).toEqual([]);
    }
  },
  async 'goty has a card for each game, with its cover, in four columns'(visit) {
    await openGoty(visit);
    expect(await count(visit, 'article')).toBe(8);
    await eventually(() => visit.page.evaluate(countLoadedCovers)).toBeGreaterThanOrEqual(4);
    expect(await visit.page.evaluate(countColumns)).toBe(4);
    await fitsIntoPhones(visit);
  },
  async 'a press before React counts once, on the same card'(visit) {
    const { page, line } = visit;
    const before = await visit.votos('hades-2');
    line.hold(MAIN);
    await page.open('/goty');
    await page.evaluate(bePatient);
    await page.click(BUTTON);
    await shown(visit, TITLE).toBe(voteTexts.dialog.success);
    expect(await page.evaluate(hasReact)).toBe(false);
    await closeDialog(visit);
    await eventually(() => isFocused(visit, BUTTON)).toBe(true);
    line.restore();
    await shown(visit, CARD).toContain(texts.goty.yourVote);
    expect(line.count('POST', VOTE)).toBe(1);
    await eventually(() => visit.votos('hades-2')).toBe(before + 1);
  },
  async "Enter and Space vote, 'Gracias' has place and focus, Escape closes it, the focus stays"(
    visit,
  ) {
    const before = await visit.votos('hades-2');
    await openGoty(visit);
    for (const key of ['Enter', 'Space'] as const) {
      await visit.page.evaluate((of) => document.querySelector<HTMLElement>(of)?.focus(), BUTTON);
      await visit.page.press(key);
      await shown(visit, TITLE).toBe(voteTexts.dialog.success);
      await shown(visit, PLACE).toMatch(/ con \d+ votos$/);
      await eventually(() => isFocused(visit, CONFIRM)).toBe(true);
      await visit.page.press('Escape');
      await eventually(() => count(visit, DIALOG)).toBe(0);
      await eventually(() => isFocused(visit, BUTTON)).toBe(true);
    }
    await eventually(() => visit.votos('hades-2')).toBe(before + 2);
  },
  async "'Ver el resultado' leads to inicio; the card says 'Tu voto' after Back and a reload"(
    visit,
  ) {
    const { page } = visit;
    await openGoty(visit);
    await page.click('#vote-blue-prince');
    await page.click('.swal2-deny');
    await shown(visit, 'h1').toBe(texts.inicio.heading);
    await shown(visit, 'main li .badge').toBe(texts.goty.yourVote);
    await page.evaluate(() => window.history.back());
    await shown(visit, 'h1').toBe(texts.goty.heading);
    for (const reload of [false, true]) {
      if (reload) await openGoty(visit);
      await shown(visit, '[aria-labelledby="name-blue-prince"]').toContain(texts.goty.yourVote);
      expect(await page.text(CARD)).not.toContain(texts.goty.yourVote);
    }
  },
  async "W28 a lost vote is sent again, ends in 'Ooops', and the next press counts once"(visit) {
    const { line, page } = visit;
    await openGoty(visit);
    const before = await visit.votos('hades-2');
    // For a file that it lacks, the page would reload itself once the line is back.
    line.cut(/^(?!.*\/goty-late-)/);
    await page.click(BUTTON);
    await shown(visit, TITLE).toBe(voteTexts.dialog.failure);
    expect(line.count('POST', VOTE)).toBeGreaterThan(1);
    expect(await page.text(DIALOG)).toContain(voteTexts.failures.unreachable);
    await closeDialog(visit);
    line.restore();
    await page.click(BUTTON);
    await shown(visit, TITLE).toBe(voteTexts.dialog.success);
    await eventually(() => visit.votos('hades-2')).toBe(before + 1);
  },
  async 'without a connection inicio says so, and shows the result once it is back'(visit) {
    const { page, line } = visit;
    line.cut(/^\/api/);
    await page.open('/inicio');
    await shown(visit, 'main').toContain(texts.inicio.offlineEmpty);
    line.restore();
    await page.evaluate(askAgain);
    await shown(visit, STATUS).toBe(texts.inicio.status.open);
    await eventually(() => count(visit, 'canvas')).toBe(1);
  },
  async 'inicio is dark or light, with its chart, and prints in the colours of paper'(visit) {
    const { page } = visit;
    await openInicio(visit);
    await eventually(() => page.evaluate(background)).toBe('rgb(14, 10, 31)');
    const paper = colorsOf(await page.print());
    const drawn = await page.evaluate(drawing);
    await page.setLook({ theme: 'light', isStill: true });
    await eventually(() => page.evaluate(background)).toBe('rgb(245, 242, 253)');
    await eventually(() => page.evaluate(drawing)).not.toBe(drawn);
    // The text of the light theme, and neither page nor text of the dark one.
    expect([...paper]).toContain('28,20,56');
    expect([...paper]).not.toContain('14,10,31');
    expect([...paper]).not.toContain('244,241,255');
  },
  async 'W43 confetti is thrown where motion is wanted, only there, and is short'(visit) {
    for (const isStill of [true, false]) {
      await visit.page.setLook({ theme: 'dark', isStill });
      await openGoty(visit);
      await visit.page.evaluate(markBursts);
      await visit.page.click(BUTTON);
      await shown(visit, PLACE).not.toBe('');
      const bursts = () => performance.getEntriesByName('burst').length;
      expect((await visit.page.evaluate(bursts)) > 0).toBe(!isStill);
      await eventually(() => count(visit, '.burst')).toBe(0);
    }
  },
  async 'when the vote closes, the winner is named without a reload'(visit) {
    // More than any other game has.
    for (let votes = 0; votes < 20; votes += 1) await visit.vote('hades-2');
    await openInicio(visit);
    await visit.operate('close');
    await shown(visit, HEADLINE).toBe(resultTexts.wins('Hades II'));
    await shown(visit, STATUS).toBe(texts.inicio.status.closed);
    expect(await visit.page.evaluate(hasLoaded, 'result-picture')).toBe(false);
    await eventually(() => visit.page.evaluate(markButton, 'main', shareButtonTexts.picture)).toBe(
      true,
    );
    await visit.page.click('[data-press]');
    await shown(visit, '[data-press] + [role="status"]').toBe(shareButtonTexts.pictureReady);
    await eventually(() => visit.page.evaluate(sizeOfPicture)).toEqual([1_200, 630]);
    await visit.page.click('header [href="/goty"]');
    await shown(visit, CARD).toContain(texts.goty.hints.closed);
    await visit.page.open('/inicio#sala');
    await eventually(() => count(visit, '[data-scene="podium"] ol > li')).toBe(3);
    const counting = await watch(visit, '[data-scene="counting"] h1', texts.inicio.status.counting);
    const winner = await watch(visit, '[data-scene="winner"] h1', 'Hades II');
    await visit.page.click('h1');
    await counting.appears();
    await winner.appears();
    // Another page first: a new hash alone loads nothing. Left too soon, its import would fail.
    await openGoty(visit);
    await visit.page.open('/inicio#directo');
    await shown(visit, '[data-scene="podium"] [data-leader] bdi').toBe('Hades II');
  },
  async 'D7 D8 the operator runs an evening from a phone, without a terminal'(visit) {
    const { page } = visit;
    await page.resize(390, 844);
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await visit.operate('open');
    await visit.operate('close', '--at', at);
    const [, code] = /#mesa=(\S+)/.exec(await visit.operate('desk')) ?? [];
    await page.open(`/inicio#mesa=${code}`);
    await shown(visit, DESK).toContain(deskTexts.open);
    await page.click(`${DESK} button`);
    await shown(visit, DESK).toContain(deskTexts.phases.open);
    expect(await page.evaluate(() => window.location.hash)).toBe('');
    await fitsIntoPhones(visit);
    await pressTwice(visit, deskTexts.later);
    await pressTwice(visit, deskTexts.hide);
    await shown(visit, DESK).toContain(deskTexts.hidden.open);
    await page.open('/inicio');
    await pressTwice(visit, deskTexts.close);
    await shown(visit, DESK).toContain(deskTexts.hidden.closed);
    expect(await page.text('main')).not.toContain(resultTexts.wins(''));
    await pressTwice(visit, deskTexts.reveal);
    await shown(visit, DESK).toContain(deskTexts.shown.closed);
    await shown(visit, 'main').toContain(resultTexts.wins(''));
  },
};

forEachEngine('', ({ name, promise, start }) => {
  test.describe(name, () => {
    // One after the other, in one window.
    test.describe.configure({ mode: 'default' });
    let visits: Awaited<ReturnType<typeof start>>;
    test.beforeAll(async () => {
      visits = await start();
    });
    test.afterAll(() => visits.end());
    for (const [title, check] of Object.entries(CHECKS)) {
      test(`${promise} ${title}, in ${name}`, async () => {
        await using visit = await visits.visit();
        await visit.page.resize(1280, 800);
        await visit.page.setLook({ theme: 'dark', isStill: true });
        await check(visit);
        const errors = await visit.page.takeErrors();
        expect(errors.filter((error) => !LOST.test(error))).toEqual([]);
      });
    }
  });
});

async function openInicio(visit: Visit) {
  await visit.page.open('/inicio');
  await eventually(() => count(visit, 'canvas')).toBe(1);
}

/** Opens goty, and waits for the dialog, which comes last. */
async function openGoty({ page }: Visit) {
  await page.open('/goty');
  await page.evaluate(bePatient);
  await eventually(() => page.evaluate(hasReact)).toBe(true);
  await eventually(() => page.evaluate(hasDialog)).toBe(true);
}

/** Nothing is wider than a window of 320 or 390 px. */
async function fitsIntoPhones({ page }: Visit) {
  for (const width of [320, 390]) {
    await page.resize(width, 700);
    await eventually(() => page.evaluate(overflow)).toMatchObject({ width: 0 });
  }
}

/** Presses a button of the desk, and again once it has said what will happen. */
async function pressTwice(visit: Visit, label: string) {
  const { page } = visit;
  const press = async (of: string) => {
    await eventually(() => page.evaluate(markButton, of, label)).toBe(true);
    await page.click('[data-press]');
  };
  await press(DESK);
  await eventually(() => count(visit, ARMED)).toBe(1);
  // The second press of a double click is none.
  await expect(async () => {
    if ((await count(visit, ARMED)) > 0) await press(ARMED);
    await expect.poll(() => count(visit, ARMED), { timeout: 1_000 }).toBe(0);
  }).toPass();
}

async function closeDialog(visit: Visit) {
  await visit.page.click(CONFIRM);
  await eventually(() => count(visit, DIALOG)).toBe(0);
}

function count({ page }: Visit, selector: string) {
  return page.evaluate((of) => document.querySelectorAll(of).length, selector);
}

function isFocused({ page }: Visit, selector: string) {
  return page.evaluate((of) => document.activeElement?.matches(of) ?? false, selector);
}

// The functions below run in the page.

/** Lets the page ask at once, and not after its pause. */
function askAgain() {
  window.dispatchEvent(new Event('online'));
}

/** Whether the dialog has loaded, with all that it imports: Vite adds a link for each of these files before it loads any. */
function hasDialog() {
  const loaded = new Set(performance.getEntriesByType('resource').map(({ name }) => name));
  const links = document.querySelectorAll<HTMLLinkElement>('[rel=modulepreload], [rel=stylesheet]');
  const files = [...links].map(({ href }) => href);
  return files.some((file) => file.includes('/dialog-')) && files.every((file) => loaded.has(file));
}

function hasLoaded(name: string) {
  return performance.getEntriesByType('resource').some((entry) => entry.name.includes(name));
}

function sizeOfPicture() {
  const image = document.querySelector<HTMLImageElement>('.picture');
  return [image?.naturalWidth, image?.naturalHeight];
}

/** Marks the button with this label, for a selector. */
function markButton(of: string, label: string) {
  document.querySelector('[data-press]')?.removeAttribute('data-press');
  const buttons = [...document.querySelectorAll(`${of} button`)];
  const button = buttons.find(({ textContent }) => textContent === label);
  button?.setAttribute('data-press', '');
  return button !== undefined;
}

function background() {
  return getComputedStyle(document.documentElement).backgroundColor;
}

function drawing() {
  return document.querySelector('canvas')?.toDataURL();
}

/** Counts the colours of the chart, whose bars are gradients. */
function countColors() {
  const canvas = document.querySelector('canvas');
  const image = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(image?.data.buffer ?? [])).size;
}

function countLoadedCovers() {
  return [...document.querySelectorAll('article img:last-child')].filter(
    (image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0,
  ).length;
}

function countColumns() {
  const cards = [...document.querySelectorAll('article')];
  return new Set(cards.map((card) => Math.round(card.getBoundingClientRect().x))).size;
}

/** How much of the page does not fit into the window. */
function overflow() {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  return {
    width: Math.max(0, scrollWidth - clientWidth),
    height: Math.max(0, scrollHeight - clientHeight),
  };
}

/** Names the pairs of texts and pictures of which one covers the other. */
function overlaps() {
  const parts = [...document.querySelectorAll('header *, main *')].flatMap((element) => {
    const isText = element.childElementCount === 0 && /[\p{L}\d]/u.test(element.textContent ?? '');
    const isPart = element.matches(
      '.visually-hidden, .visually-hidden *, svg *, img:not(:last-child)',
    );
    if (isPart || !element.checkVisibility()) return [];
    if (!isText && !element.matches('img, svg')) return [];
    const text = document.createRange();
    text.selectNodeContents(element);
    return { element, box: (isText ? text : element).getBoundingClientRect() };
  });
  const isCovered = (a: DOMRect, b: DOMRect) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    // The box of a line is larger than its letters; how much depends on the font.
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) >
      Math.max(6, Math.min(a.height, b.height) / 3);
  return parts.flatMap((one, at) =>
    parts
      .slice(at + 1)
      .filter((other) => isCovered(one.box, other.box))
      .map((other) => [one, other].map(({ element }) => element.outerHTML.slice(0, 80))),
  );
}
