import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gotyTexts } from '@goty/shared/goty-texts';
import { apiTexts, texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { expect } from '@playwright/test';
import { eventually, forEachEngine, shown, test } from '../../testing/engines/engine-test.ts';
import type { Visit } from '../../testing/engines/visit.ts';
import { bePatient, hasReact } from '../../testing/goty-test.ts';

const TITLE = '.swal2-title';
const TOLD = '.swal2-html-container';
const MAIN = /\/assets\/main-.*\.js/;
const { change } = voteTexts.dialog;

forEachEngine('W153 ', ({ name, promise, start }) => {
  test(`W153 V17 ${promise} a link votes before React, and a code that is typed in another browser changes that vote, in ${name}`, async () => {
    const visits = await start({ VOTE_POLICY: 'one-per-code' });
    try {
      const codes: string[] = [];
      for (const check of [voteByLink, voteByTypedCode]) {
        await using visit = await visits.visit();
        if (codes.length === 0) codes.push(...(await makeCodes(visit)));
        await visit.page.setLook({ theme: 'dark', isStill: true });
        await visit.page.resize(1280, 800);
        await check(visit, codes);
        // Answers of 403 and 409 are logged by some.
        const errors = await visit.page.takeErrors();
        expect(errors.filter((error) => !/403|409/.test(error))).toEqual([]);
      }
    } finally {
      await visits.end();
    }
  });
});

async function makeCodes({ environment, line, operate }: Visit): Promise<string[]> {
  const file = join(dirname(environment.DATABASE), 'codes.csv');
  await operate('codes', '--make', '2', '--out', file);
  const [, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
  const codes = rows.map((row) => row.split(';')[0] ?? '');
  // The server looks for codes twice a second.
  const body = JSON.stringify({ code: codes[0] });
  const ask = () => fetch(`${line.origin}/api/code`, { method: 'POST', body });
  await eventually(async () => (await ask()).status).toBe(200);
  return codes;
}

async function voteByLink(visit: Visit, [first, second]: readonly string[]) {
  const { page, line } = visit;
  const { says, close, votes } = stepsOf(visit);
  line.hold(MAIN);
  await page.open(`/goty#codigo=${first}`);
  await page.evaluate(bePatient);
  await page.click('#vote-hades-2');
  await says(TITLE).toBe(voteTexts.dialog.success);
  expect(await page.evaluate(hasReact)).toBe(false);
  expect(await page.evaluate(() => window.location.hash)).toBe('');
  line.restore();
  await close();
  await says('main').toContain(texts.goty.afterVote.notice('Hades II'));
  await eventually(votes).toEqual([1, 0]);

  // Another code in the same browser has a vote of its own.
  await page.open(`/goty#codigo=${second}`);
  await page.evaluate(bePatient);
  await says('main').toContain(apiTexts.codeValid);
  await page.click('#vote-blue-prince');
  await says(TITLE).toBe(voteTexts.dialog.success);
  await close();
  await eventually(votes).toEqual([1, 1]);
}

async function voteByTypedCode(visit: Visit, [first = '']: readonly string[]) {
  const { page } = visit;
  const { says, close, votes } = stepsOf(visit);
  await page.open('/goty');
  await page.evaluate(bePatient);
  await says('main').toContain(gotyTexts.code.needed);
  await says('#hint-hades-2').toBe(gotyTexts.code.hint);
  await page.click('#vote-blue-prince');
  await says(TOLD).toBe(apiTexts.codeNeeded);
  await close();
  await eventually(votes).toEqual([1, 1]);
  await page.click('main input');
  await page.evaluate(typeInto, first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'));
  await page.press('Enter');
  await says('main').toContain(apiTexts.codeValid);
  await page.click('#vote-blue-prince');
  await says(TITLE).toBe(change.title);
  await page.click('.swal2-deny');
  await says(TOLD).toBe(apiTexts.moved('Blue Prince'));
  await close();
  await eventually(votes).toEqual([0, 2]);
}

/** Runs in the page. */
function typeInto(text: string) {
  document.execCommand('insertText', false, text);
}

function stepsOf(visit: Visit) {
  const { page } = visit;
  const says = (selector: string) => shown(visit, selector);
  const close = async () => {
    await page.press('Escape');
    await expect
      .poll(() => page.evaluate(() => document.querySelector('dialog[open], .swal2-container')))
      .toBeNull();
  };
  const votes = () => Promise.all(['hades-2', 'blue-prince'].map((id) => visit.votos(id)));
  return { says, close, votes };
}
