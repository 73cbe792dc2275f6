import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { expect } from '@playwright/test';
import { eventually, forEachEngine, test } from '../../testing/engines/engine-test.ts';
import type { Visit } from '../../testing/engines/visit.ts';

// What inicio shows first, at any size and with any names.

const LONG = 'Una aventura gráfica de nombre largo, segunda parte: El regreso final';
const ROWS = 'main ul[aria-hidden] > li:not(:last-child)';

forEachEngine('W60 ', ({ name, promise, start }) => {
  test(`W37 W60 W141 ${promise} inicio shows the result first, who leads and your vote, in ${name}`, async () => {
    const visits = await start();
    try {
      await using visit = await visits.visit();
      await visit.page.setLook({ theme: 'dark', isStill: true });
      await showsBarsFirst(visit);
      await saysWhoLeads(visit);
      await keepsLeaderInSight(visit);
      expect(await visit.page.takeErrors()).toEqual([]);
    } finally {
      await visits.end();
    }
  });
});

async function showsBarsFirst(visit: Visit) {
  for (const [width, height, bars, lowest] of [
    [390, 844, 8, 350],
    [844, 390, 3, 390],
  ] as const) {
    await open(visit, width, height);
    const { top, bottoms } = await visit.page.evaluate(placesOfBars, ROWS);
    expect(top, `at ${width} px`).toBeLessThanOrEqual(lowest);
    expect(bottoms.filter((bottom) => bottom <= height).length).toBeGreaterThanOrEqual(bars);
  }
}

/** Whoever is renamed leads. */
async function saysWhoLeads(visit: Visit) {
  for (const length of [41, LONG.length]) {
    const name = LONG.slice(0, length).trim();
    const id = 'split-fiction';
    await nominate(visit, [{ id, name }]);
    await open(visit, 320, 640);
    for (const [width, height] of [
      [320, 640],
      [390, 844],
      [640, 900],
      [844, 390],
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await visit.page.resize(width, height);
      await eventually(() => visit.page.text('main h2')).toBe(resultTexts.leads(name));
      const cut = await visit.page.evaluate(howMuchIsCut, 'main h2 > span');
      expect(cut, `${length} characters at ${width} px`).toBeLessThan(1);
    }
  }
}

async function keepsLeaderInSight(visit: Visit) {
  const many = Array.from({ length: 40 }, (_, at) => ({ id: `a-${at}`, name: `Juego ${at}` }));
  await nominate(visit, many);
  await visit.vote('a-3');
  const { voteId } = await (await fetch(`${visit.line.origin}/api/standings`)).json();
  await visit.page.evaluate(rememberVote, `a-3  ${voteId}`);
  await open(visit, 390, 844);
  const rows = () => visit.page.evaluate(textsOf, ROWS);
  // The first standings that the page receives may be from before the vote.
  await eventually(async () => (await rows()).join('\n')).toContain(texts.goty.yourVote);
  expect((await rows()).join('\n')).toContain(`1.º`);
  expect(await rows()).toHaveLength(9);
}

async function open({ page }: Visit, width: number, height: number) {
  await page.resize(width, height);
  await page.open('/inicio');
  await eventually(() => page.evaluate(() => document.querySelector('canvas') !== null)).toBe(true);
}

async function nominate(visit: Visit, games: readonly { id: string; name: string }[]) {
  const folder = mkdtempSync(join(tmpdir(), 'goty-nominees-'));
  const file = join(folder, 'nominees.json');
  writeFileSync(file, JSON.stringify(games.map((game) => ({ ...game, url: '/trophy.svg' }))));
  await visit.operate('nominees', 'set', file, '--yes');
  rmSync(folder, { recursive: true });
}

// The functions below run in the page.

function placesOfBars(rows: string) {
  const labels = [...document.querySelectorAll(`${rows} b`)];
  return {
    top: document.querySelector('canvas')?.getBoundingClientRect().top,
    bottoms: labels.map((label) => label.getBoundingClientRect().bottom),
  };
}

/** By how many pixels an element exceeds the box around its title, which hides what does not fit. */
function howMuchIsCut(selector: string) {
  const element = document.querySelector(selector);
  const [own, box] = [element, element?.closest('div')].map((of) => of?.getBoundingClientRect());
  return own && box ? Math.max(own.bottom - box.bottom, own.right - box.right, 5 - own.width) : 99;
}

function rememberVote(entry: string) {
  localStorage.setItem('goty-last-vote', entry);
}

function textsOf(selector: string) {
  return [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);
}
