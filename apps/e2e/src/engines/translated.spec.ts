import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appTexts } from '@goty/shared/app-texts';
import { gotyTexts } from '@goty/shared/goty-texts';
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
import { translate } from '../../testing/engines/translator.ts';
import type { Visit } from '../../testing/engines/visit.ts';
import { bePatient, hasReact } from '../../testing/goty-test.ts';

// Both screens, from before the opening until the result, in a browser that translates them.

const HOUR_MS = 3_600_000;
const HEADLINE = 'main h2';
const TITLE = '.swal2-title';
const PLACE = '.goty-place';
const STATUS = '[data-status] [role="status"]';
const BAR = 'aside p';
const TIMER = 'main [role="timer"]';

const SCREENS: Record<string, (visit: Visit) => Promise<void>> = {
  async goty(visit) {
    const { page } = visit;
    await nominateMany(visit);
    await begin(visit, '/goty');
    await operate(visit, 'open');
    await shown(visit, '.lead').toContain(texts.goty.notices.open);
    await eventually(() => page.evaluate(search, 'zelda')).toBe(true);
    await shown(visit, 'main').toContain(gotyTexts.found(0, 'zelda'));
    await page.evaluate(search, 'hades');
    await shown(visit, 'main').toContain(gotyTexts.found(1, 'hades'));
    await page.evaluate(search, '');
    await operate(visit, 'times', '--closes', later(0.5));
    await ticks(visit);
    for (const game of ['hades-2', 'blue-prince', 'hades-2']) {
      await page.click(`#vote-${game}`);
      await shown(visit, TITLE).toBe(voteTexts.dialog.success);
      await shown(visit, PLACE).toMatch(/ con \d+ votos$/);
      const before = await page.text(PLACE);
      await visit.vote(game);
      await shown(visit, PLACE).not.toBe(before);
      await page.click('.swal2-confirm');
      await shown(visit, `[aria-labelledby="name-${game}"]`).toContain(texts.goty.yourVote);
      await shown(visit, BAR).toMatch(/ con \d+ votos$/);
    }
    await page.click('#vote-hades-2');
    await shown(visit, PLACE).toMatch(/ con \d+ votos$/);
    await operate(visit, 'freeze');
    await shown(visit, PLACE).toBe(texts.inicio.leads.frozen);
    await operate(visit, 'close');
    await shown(visit, PLACE).toBe(texts.goty.notices.held);
    await operate(visit, 'reveal', '--yes');
    await shown(visit, PLACE).toBe(texts.goty.notices.closed);
    await page.click('.swal2-confirm');
    await shown(visit, '.lead').toContain(texts.goty.notices.closed);
    await shown(visit, BAR).toMatch(/ con \d+ votos$/);
    await page.click('header [href="/inicio"]');
    await shown(visit, STATUS).toBe(texts.inicio.status.closed);
  },
  async inicio(visit) {
    const { page } = visit;
    await begin(visit, '/inicio');
    await operate(visit, 'open');
    await shown(visit, HEADLINE).toBe(resultTexts.leads('Split Fiction'));
    await visit.vote('kingdom-come-2');
    await shown(visit, HEADLINE).toBe(resultTexts.ties);
    const news = await watch(visit, 'main', resultTexts.newLeader);
    await visit.vote('kingdom-come-2');
    await shown(visit, HEADLINE).toBe(resultTexts.leads('Kingdom Come: Deliverance II'));
    await news.appears();
    const [, share = ''] = /\((.*)\)/.exec(await page.text('.standings-headline p')) ?? [];
    await shown(visit, 'main [data-leader] b + span').toBe(` · ${share}`);
    await page.click('main [aria-pressed]');
    await shown(visit, 'tbody tr td').toBe('9 votos');
    await shown(visit, 'main').not.toContain(resultTexts.newLeader);
    await operate(visit, 'times', '--closes', later(2));
    await shown(visit, 'main').toContain('Termina ');
    await operate(visit, 'times', '--closes', later(0.5));
    await ticks(visit);
    await operate(visit, 'freeze');
    await shown(visit, HEADLINE).toBe(resultTexts.frozen);
    await visit.vote('hades-2');
    await operate(visit, 'close');
    await shown(visit, HEADLINE).toBe(resultTexts.held);
    await operate(visit, 'reveal', '--yes');
    await shown(visit, HEADLINE).toBe(resultTexts.wins('Kingdom Come: Deliverance II'));
    await page.click('header [href="/goty"]');
    await shown(visit, '.lead').toContain(texts.goty.notices.closed);
  },
};

forEachEngine('W140 ', ({ name, promise, start }) => {
  for (const [screen, lead] of Object.entries(SCREENS)) {
    test(`W140 ${promise} ${screen} is translated in every state, in ${name}`, async () => {
      const visits = await start();
      try {
        await using visit = await visits.visit();
        await visit.page.setLook({ theme: 'dark', isStill: true });
        await visit.page.resize(1280, 800);
        await lead(visit);
        expect(await visit.page.text('main')).not.toContain(appTexts.crashed);
        expect(await visit.page.takeErrors()).toEqual([]);
      } finally {
        await visits.end();
      }
    });
  }
});

/** Opens a screen before the opening, with everything loaded, and translates it. */
async function begin(visit: Visit, path: '/inicio' | '/goty') {
  await visit.operate('times', '--opens', later(1));
  await visit.page.open(path);
  await visit.page.evaluate(bePatient);
  await shown(visit, TIMER).not.toBe('');
  await eventually(() => visit.page.evaluate(hasReact)).toBe(true);
  if (path === '/inicio') await shown(visit, 'main').toContain(shareButtonTexts.share);
  await visit.page.evaluate(translate);
  await ticks(visit);
}

/** The seconds go on. */
async function ticks(visit: Visit) {
  await shown(visit, TIMER).not.toBe('');
  const before = await visit.page.text(TIMER);
  await shown(visit, TIMER).not.toBe(before);
}

/** Gives a command, and lets the page ask for what follows from it. */
async function operate(visit: Visit, ...command: string[]) {
  await visit.operate(...command);
  await visit.page.evaluate(() => void window.dispatchEvent(new Event('online')));
}

/** Enough to be searched. */
async function nominateMany(visit: Visit) {
  const folder = mkdtempSync(join(tmpdir(), 'goty-nominees-'));
  const file = join(folder, 'nominees.json');
  const more = Array.from({ length: 20 }, (_, at) => ({ id: `zz-${at}`, name: `Juego ${at}` }));
  const nominees = more.map((game) => ({ ...game, url: '/covers/hades-2.svg' }));
  writeFileSync(file, JSON.stringify(nominees));
  await visit.operate('nominees', 'set', file, '--yes');
  rmSync(folder, { recursive: true });
}

function later(hours: number): string {
  return new Date(Date.now() + hours * HOUR_MS).toISOString();
}

/** Types into the field, as far as React is concerned, and returns whether there is one. Runs in the page. */
function search(words: string) {
  const field = document.querySelector('input');
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  set?.call(field, words);
  field?.dispatchEvent(new Event('input', { bubbles: true }));
  return field !== null;
}
