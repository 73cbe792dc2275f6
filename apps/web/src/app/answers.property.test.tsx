import type { Standing } from '@goty/shared/game';
import { SEED } from '@goty/shared/testing/seed';
import { cleanup, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import Swal from 'sweetalert2/dist/sweetalert2.js';
import { expect, test, vi } from 'vitest';
import { buildLive } from '../../testing/builders.ts';
import { renderPage } from '../../testing/render-page.tsx';
import { answer } from '../../testing/stub-fetch.ts';
import { parseStandings } from '../base/parse.ts';
import { createNominees } from '../live/nominees.ts';
import { postVote } from '../vote/cast-vote.ts';
import { createDialog } from '../vote/dialog.ts';

const MARKUP = ['<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '{{x}}', '&lt;b&gt;'];
const text = fc.oneof(
  fc.constantFrom(...MARKUP, '', ' ', '\u200b', '\u202e', '__proto__', 'constructor', 'a'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const field = fc.constantFrom('id', 'name', 'url', 'votos', 'ok', 'mensaje', '__proto__');
const value = fc.oneof(
  text,
  fc.double(),
  fc.constantFrom(true, false, null, 0, -1, 1e308, Number.MAX_SAFE_INTEGER),
);
const data = fc.oneof(
  fc.record({ ok: fc.boolean(), mensaje: text }),
  fc.array(fc.record({ id: text, name: text, url: text, votos: value }), { maxLength: 5 }),
  fc.dictionary(field, value),
  fc.array(fc.dictionary(field, value), { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);
/** The body of a response, or the data of an event. */
const body = fc.oneof(
  { weight: 4, arbitrary: data.map((value) => JSON.stringify(value)) },
  text,
  data.map((value) => JSON.stringify(value).slice(0, -1)),
);
const status = fc.constantFrom(200, 201, 302, 400, 404, 409, 422, 429, 500, 502, 503, 504);

test('W7 whatever comes as the answer to a vote, the dialog has a title and a text, as text', async () => {
  // jsdom has none. Without movement, the dialog closes at once.
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }));
  const showOutcome = createDialog(
    createNominees(async () => []),
    new Promise<never>(() => {}),
  );
  await fc.assert(
    fc.asyncProperty(status, body, async (code, content) => {
      answer(code, content);
      const { response } = await postVote('a', 'key');
      expect(response.mensaje).toMatch(/\p{L}/u);
      const closed = showOutcome(response, 'a', false);
      // jsdom does not know `innerText`, by which the title is set.
      const title = expect.stringMatching(/^(Gracias|Ooops)$/);
      expect(Swal.getTitle()).toHaveProperty('innerText', title);
      const shown = Swal.getHtmlContainer();
      expect(shown?.textContent).toBe(response.mensaje);
      expect(shown?.querySelector('img, script')).toBeNull();
      Swal.close();
      await closed;
    }),
    { seed: SEED, numRuns: 40 },
  );
});

test('W14 W112 whatever the standings are, no NaN is shown and no markup is executed', async () => {
  const standings = fc
    .uniqueArray(fc.record({ id: text, name: text, votos: value }), {
      selector: ({ id }) => id,
      maxLength: 5,
    })
    .map((list): readonly Standing[] => parseStandings(JSON.parse(JSON.stringify(list))) ?? []);
  await fc.assert(
    fc.asyncProperty(standings, async (given) => {
      const { emit } = renderPage();
      await emit(buildLive(given));
      await waitFor(() => expect(document.querySelectorAll('tbody tr')).toHaveLength(given.length));
      expect(document.querySelector('main')?.textContent).not.toMatch(
        /NaN|undefined|Infinity|\[object|null/,
      );
      expect(document.querySelector('main img[onerror], main script')).toBeNull();
      cleanup();
    }),
    { seed: SEED, numRuns: 25 },
  );
});
