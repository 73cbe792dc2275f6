import { apiTexts, texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { expect } from '@playwright/test';
import { eventually, forEachEngine, shown, test } from '../../testing/engines/engine-test.ts';
import type { Visit } from '../../testing/engines/visit.ts';
import { bePatient, hasReact } from '../../testing/goty-test.ts';

const TITLE = '.swal2-title';
/** 'Cambiar mi voto', and 'Dejarlo como está' or 'Aceptar'. */
const CHANGE = '.swal2-deny';
const CLOSE = '.swal2-confirm';
const { change } = voteTexts.dialog;
const MAIN = /\/assets\/main-.*\.js/;

forEachEngine('W148 ', ({ name, promise, start }) => {
  test(`W148 V14 ${promise} a vote is changed on the page, also without what it has stored and before React, in ${name}`, async () => {
    const visits = await start({ VOTE_POLICY: 'one-per-visitor' });
    try {
      for (const check of [changeVotes, changeBeforeReact]) {
        await using visit = await visits.visit();
        await visit.page.setLook({ theme: 'dark', isStill: true });
        await visit.page.resize(1280, 800);
        await check(visit);
        // An answer of 409 is logged by some.
        const errors = await visit.page.takeErrors();
        expect(errors.filter((error) => !/409/.test(error))).toEqual([]);
      }
    } finally {
      await visits.end();
    }
  });
});

async function changeVotes(visit: Visit) {
  const { page, close, says, votes } = stepsOf(visit);
  const [a = 0, b = 0, c = 0] = await votes();
  const open = async () => {
    await page.open('/goty');
    await page.evaluate(bePatient);
    await expect.poll(() => page.evaluate(hasReact)).toBe(true);
  };

  await open();
  await page.click('#vote-hades-2');
  await says(TITLE).toBe(voteTexts.dialog.success);
  await close(() => page.press('Escape'));
  await says(cardOf('blue-prince')).toContain(texts.goty.afterVote.other.hint);
  // The bar comes last, and may scroll the page.
  await says('aside p').not.toBe('');
  // Left as it is, by Escape.
  await page.click('#vote-blue-prince');
  await says(TITLE).toBe(change.title);
  await says('.swal2-html-container').toBe(change.text('Hades II', 'Blue Prince'));
  await close(() => page.press('Escape'));
  await eventually(votes).toEqual([a + 1, b, c]);
  await page.click('#vote-blue-prince');
  await says(TITLE).toBe(change.title);
  await page.click(CHANGE);
  await says('.swal2-html-container').toBe(apiTexts.moved('Blue Prince'));
  await close(() => page.click(CLOSE));
  await says(cardOf('blue-prince')).toContain(texts.goty.yourVote);
  await eventually(votes).toEqual([a, b + 1, c]);

  // The page knows of no vote. The server does.
  await page.evaluate(() => localStorage.clear());
  await open();
  await page.click('#vote-split-fiction');
  await says(TITLE).toBe(change.title);
  await page.click(CHANGE);
  await says('.swal2-html-container').toBe(apiTexts.moved('Split Fiction'));
  await close(() => page.click(CLOSE));
  await eventually(votes).toEqual([a, b, c + 1]);
}

/** In a visit of its own: the server knows the cookie of the one before, and the page knows nothing. */
async function changeBeforeReact(visit: Visit) {
  const { page, line } = visit;
  const { close, says, votes } = stepsOf(visit);
  const [a = 0, b, c = 0] = await votes();
  line.hold(MAIN);
  await page.open('/goty');
  await page.evaluate(bePatient);
  await page.click('#vote-hades-2');
  await says(TITLE).toBe(change.title);
  expect(await page.evaluate(hasReact)).toBe(false);
  await page.click(CHANGE);
  await says('.swal2-html-container').toBe(apiTexts.moved('Hades II'));
  line.restore();
  await close(() => page.click(CLOSE));
  await says(cardOf('hades-2')).toContain(texts.goty.yourVote);
  await eventually(votes).toEqual([a + 1, b, c - 1]);
}

function stepsOf(visit: Visit) {
  const { page } = visit;
  const says = (selector: string) => shown(visit, selector);
  const close = async (by: () => Promise<unknown>) => {
    await by();
    await expect
      .poll(() => page.evaluate(() => document.querySelector('dialog[open], .swal2-container')))
      .toBeNull();
  };
  return {
    page,
    says,
    close,
    votes: () =>
      Promise.all(['hades-2', 'blue-prince', 'split-fiction'].map((id) => visit.votos(id))),
  };
}

function cardOf(id: string): string {
  return `[aria-labelledby="name-${id}"]`;
}
