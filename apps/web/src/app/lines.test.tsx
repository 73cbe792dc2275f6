import { shareButtonTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { buildLive, buildStandings } from '../../testing/builders.ts';
import { createFakes } from '../../testing/render-page.tsx';
import {
  isPublic,
  isSecret,
  isVoting,
  VOTE_PHASES,
  type VotePhase,
  votingIn,
} from '../live/fetch-standings.ts';
import { ALWAYS_OPEN, type LiveState, type VoteStatus } from '../live/live-state.ts';
import { headlineAt, spokenHeadline } from '../results/headline.ts';
import { App } from './app.tsx';

// What is put together from parts, in every combination: no part may mean something else beside another neighbour.

const NOW = Date.UTC(2026, 11, 31, 18, 30);
const MINUTE = 60_000;
const CONNECTIONS = ['live', 'offline'] as const;
const TIMES = {
  opensAt: NOW + 30 * MINUTE,
  closesAt: NOW + 150 * MINUTE,
  frozenAt: NOW - 30 * MINUTE,
};

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/Madrid');
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});

/** A screen with what the page knows, which the returned function changes. */
async function show(path: string, first: LiveState) {
  const { props } = createFakes();
  props.known.set(first);
  render(
    <MemoryRouter initialEntries={[path]}>
      <App {...props} />
    </MemoryRouter>,
  );
  return (next: LiveState) => act(async () => props.known.set(next));
}

/** Every state with these votes. */
function* allStates(votes: readonly number[]): Generator<LiveState> {
  const standings = buildStandings(...votes);
  for (const connection of CONNECTIONS) {
    for (const phase of VOTE_PHASES) {
      for (const closesAt of [undefined, TIMES.closesAt]) {
        for (const viewers of [undefined, 37]) {
          // All screens have told the result of a vote that is over.
          const now = votingIn(phase) === 'closed' ? TIMES.closesAt + MINUTE : NOW;
          const clockOffset = now - performance.now();
          const status = { ...ALWAYS_OPEN, ...TIMES, phase, closesAt, clockOffset, final: true };
          yield { ...buildLive(standings), status, connection, viewers };
        }
      }
    }
  }
}

/** What a line may say of a state, beside which status whatever. */
function partsOf({ status: { phase, closesAt }, connection }: LiveState): readonly string[] {
  const ends = connection === 'live' && phase === 'open' ? 'Termina' : 'La votación termina';
  return [
    texts.inicio.status[connection === 'live' ? phase : 'offline'],
    isSecret(phase) ? 'Recuento hasta las 19:00' : '13 votos',
    ...(connection === 'live' ? ['37 mirando'] : []),
    ...(isVoting(phase) && closesAt ? [`${ends} hoy a las 22:00`] : []),
  ];
}

test.each([[[0, 0]], [[1, 12]]])(
  'W63 W93 W120 each part of the status of inicio says by itself what it is about, with %j votes',
  async (votes) => {
    const [first, ...states] = allStates(votes);
    if (!first) return;
    const set = await show('/inicio', first);
    await screen.findByRole('heading', { level: 2 });
    for (const state of [first, ...states]) {
      await set(state);
      const line = document.querySelector('[data-status]');
      const parts = [...(line?.querySelectorAll(':scope > :not([aria-hidden])') ?? [])].map(
        (part) => part.textContent,
      );
      const { phase, closesAt } = state.status;
      const name = [state.connection, phase, closesAt, state.viewers];
      const allowed = partsOf(state);
      expect([name, parts[0]]).toEqual([name, allowed[0]]);
      expect([name, parts.filter((part) => !allowed.includes(part ?? ''))]).toEqual([name, []]);
      // What is known is said, and that of the page's own screen alone.
      const isTold = votes[1] !== 0 && (isPublic(phase) || isSecret(phase));
      if (isTold) expect([name, parts]).toEqual([name, expect.arrayContaining([allowed[1]])]);
      const isDated = phase === 'frozen' || (phase === 'open' && state.connection === 'live');
      if (closesAt && isDated) expect([name, parts.at(-1)]).toEqual([name, allowed.at(-1)]);
    }
  },
);

test.each(['/inicio#sala', '/inicio#directo'])(
  'W145 W152 each part of the status of %s says by itself what it is about',
  async (path) => {
    const still = { observe() {}, disconnect() {} };
    vi.stubGlobal('ResizeObserver', function ResizeObserver() {
      return still;
    });
    for (const state of allStates([1, 12])) {
      await show(path, state);
      await screen.findByRole('main');
      const lines = [...document.querySelectorAll('[data-status], aside > p:not([translate])')];
      const parts = lines.flatMap((line) => line.textContent?.split(/\s· /) ?? []);
      const allowed = partsOf(state);
      const name = [state.connection, state.status.phase, state.status.closesAt];
      expect([name, parts.filter((part) => !allowed.includes(part))]).toEqual([name, []]);
      for (const timer of screen.queryAllByRole('timer'))
        expect(timer.ariaLabel).toMatch(
          /^La votación (empieza hoy a las 20:00|termina hoy a las 22:00)$/,
        );
      cleanup();
    }
  },
);

const WORDS =
  /^(Con (1 voto|\d+ votos) \(\d+\s%\)(, \d+ más que [\w ]+)?|Con (1 voto|\d+ votos) cada uno: [\w ,]+|El primer voto puede ser el tuyo|Aún no se muestran los votos posteriores a las 19:00|La votación ha terminado hoy a las 22:00|La organización anuló (1 voto, emitido|[2-9] votos, emitidos) (a las 1\d:\d\d|de 1\d:\d\d a \d\d:\d\d|en 4 momentos, de 19:00 a 19:31|de 19:00 a 19:05 y a las 19:10)|El cierre se (aplazó|adelantó) (de 2\d:\d\d a 2\d:\d\d|unos segundos)|La votación se reabrió hoy a las 21:00)$/;

const SPAN = { from: TIMES.frozenAt, to: TIMES.frozenAt + 5 * MINUTE };
const MOMENT = { from: TIMES.frozenAt + 10 * MINUTE, to: TIMES.frozenAt + 10 * MINUTE + 1 };
const LATER = { from: TIMES.frozenAt + 30 * MINUTE, to: TIMES.frozenAt + 31 * MINUTE };

test('W60 W61 V13 each sentence of the headline says by itself what it is about', () => {
  const disclosures: Partial<VoteStatus>[] = [
    {},
    ...[1, 9].flatMap((voided) =>
      [[SPAN], [MOMENT], [SPAN, MOMENT], [SPAN, MOMENT, MOMENT, LATER]].map((voids) => ({
        voided,
        voids,
      })),
    ),
    ...[-90, -0.1, 0.1, 30].map((minutes) => ({ movedFrom: TIMES.closesAt + minutes * MINUTE })),
    { reopenedAt: TIMES.closesAt - 60 * MINUTE },
    { voided: 1, voids: [MOMENT], movedFrom: TIMES.closesAt - 1, reopenedAt: NOW + 90 * MINUTE },
  ];
  for (const phase of VOTE_PHASES) {
    for (const votes of [
      [0, 0],
      [1, 0],
      [1, 1],
      [3, 1],
      [1, 1, 1, 1],
    ]) {
      for (const more of disclosures) {
        const status = { ...ALWAYS_OPEN, ...TIMES, ...more, phase };
        const headline = headlineAt(buildStandings(...votes), status);
        if (phase === 'counting') {
          // Its one sentence is always below this title.
          const counting = ['La votación ha terminado', 'Terminó hoy a las 22:00.'];
          expect([headline.title, headline.detail]).toEqual(counting);
          continue;
        }
        const sentences = headline.detail.split(/(?<=\.) /).map((text) => text.replace(/\.$/, ''));
        const wrong = sentences.filter((text) => text !== '' && !WORDS.test(text));
        expect([phase, votes, more, wrong]).toEqual([phase, votes, more, []]);
        expect(spokenHeadline(headline)).toMatch(/[.!]$/);
      }
    }
  }
});

test('W46 what is shared invites to vote only while one can, and says nothing that needs the page', async () => {
  // It brings the clipboard along.
  userEvent.setup();
  const share = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const won =
    /^(Juego b es el juego del año|La votación ha terminado\.) https:\/\/goty\.example\/inicio$/;
  const wanted: Record<VotePhase, RegExp> = {
    before: /^Vota por el juego del año: \S+\/goty$/,
    open: /^Vota por el juego del año: \S+\/goty$/,
    frozen: /^Vota por el juego del año: \S+\/goty$/,
    held: /^La votación ha terminado\. El resultado se anunciará en breve\. \S+\/inicio$/,
    counting: won,
    closed: won,
  };
  for (const votes of [
    [1, 12],
    [0, 0],
  ]) {
    for (const state of allStates(votes)) {
      if (state.viewers !== undefined || state.status.closesAt === undefined) continue;
      await show('/inicio', state);
      const button = await screen.findByRole('button', { name: shareButtonTexts.share });
      await act(async () => button.click());
      expect(share).toHaveBeenLastCalledWith(expect.stringMatching(wanted[state.status.phase]));
      cleanup();
    }
  }
});

test('W46 W101 a shared vote invites to vote only while one can', async () => {
  userEvent.setup();
  const share = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  localStorage.setItem('goty-last-vote', 'hades-2  v');
  for (const state of allStates([1, 12])) {
    const { phase } = state.status;
    if (state.viewers !== undefined || phase === 'before') continue;
    await show('/goty', state);
    const button = await screen.findByRole('button', { name: shareButtonTexts.share });
    await act(async () => button.click());
    const rest = isVoting(phase)
      ? ' ¿Y tú? https://goty.example/goty'
      : ' https://goty.example/inicio';
    expect(share).toHaveBeenLastCalledWith(`He votado por Hades II como juego del año.${rest}`);
    cleanup();
  }
});
