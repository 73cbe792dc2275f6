import type { Nominee, VoteResponse } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, test, vi } from 'vitest';
import type { LiveEvent } from '../live/live-source.ts';
import { ServicesProvider } from '../services.ts';
import { createBallotBox } from '../vote/ballot-box.ts';
import { storedLastVote } from '../vote/last-vote.ts';
import { createNomineeList } from '../vote/nominee-list.ts';
import { App } from './app.tsx';

// jsdom has no canvas; the end-to-end tests see the real one.
vi.mock('../results/results-chart.tsx', () => ({
  ResultsChart: () => <canvas aria-label={texts.inicio.chartLabel} />,
}));

const NOMINEES: Nominee[] = [
  { id: 'blue-prince', name: 'Blue Prince', url: '/covers/blue-prince.svg' },
  { id: 'hades-2', name: 'Hades II', url: '/covers/hades-2.svg' },
];

const STANDINGS = [
  { id: 'blue-prince', name: 'Blue Prince', votos: 1 },
  { id: 'hades-2', name: 'Hades II', votos: 12 },
];

interface SetUpOptions {
  readonly path?: string;
  readonly load?: () => Promise<readonly Nominee[]>;
  readonly vote?: (gameId: string) => Promise<VoteResponse>;
}

/** The whole page over services in the test's hands. */
function setUp({ path = '/inicio', load = async () => NOMINEES, vote }: SetUpOptions = {}) {
  const listeners = new Set<(event: LiveEvent) => void>();
  const votes: string[] = [];
  const outcomes: VoteResponse[] = [];
  const loads = vi.fn(load);
  render(
    <ServicesProvider
      value={{
        nominees: createNomineeList(loads),
        ballots: createBallotBox({
          async vote(gameId) {
            votes.push(gameId);
            return vote ? vote(gameId) : { ok: true, mensaje: 'Contado' };
          },
          loadDialog: async () => async (response) => void outcomes.push(response),
          lastVote: storedLastVote,
        }),
        loadLive: async () => (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      }}
    >
      <MemoryRouter initialEntries={['/before', path]}>
        <App />
        <Path />
      </MemoryRouter>
    </ServicesProvider>,
  );
  return {
    user: userEvent.setup(),
    loads,
    votes,
    outcomes,
    listeners,
    async tell(event: LiveEvent) {
      await waitFor(() => expect(listeners.size).toBe(1));
      await act(async () => {
        for (const listener of listeners) listener(event);
      });
    },
  };
}

function Path() {
  return <p data-testid="path">{useLocation().pathname}</p>;
}

const path = () => screen.getByTestId('path').textContent;

test('W1 the bar has the brand with a trophy, the title and two links, the current one marked', async () => {
  const { user } = setUp();
  const bar = screen.getByRole('navigation', { name: 'Principal' });
  const brand = within(bar).getByRole('link', { name: texts.nav.brand });
  expect(brand.getAttribute('href')).toBe('/inicio');
  expect(brand.textContent).toBe('GOTY');
  expect(brand.querySelector('img')?.getAttribute('src')).toBe('/trophy.svg');

  const inicio = within(bar).getByRole('link', { name: 'Inicio' });
  const votar = within(bar).getByRole('link', { name: 'Votar' });
  expect(inicio.getAttribute('aria-current')).toBe('page');
  expect(votar.getAttribute('aria-current')).toBeNull();
  await user.click(votar);
  expect(path()).toBe('/goty');
  expect(inicio.getAttribute('aria-current')).toBeNull();
  expect(votar.getAttribute('aria-current')).toBe('page');
});

test.each(['/', '/nothing', '/goty/deep'])('W2 %s is the screen inicio', (from) => {
  setUp({ path: from });
  expect(path()).toBe('/inicio');
  screen.getByRole('heading', { level: 1, name: 'Game of the year' });
});

test.each(['/goty/', '/GOTY'])('W2 %s is the screen goty, and its link is marked', (from) => {
  setUp({ path: from });
  screen.getByRole('heading', { level: 1, name: 'votar por el juego del año' });
  expect(screen.getByRole('link', { name: 'Votar' }).getAttribute('aria-current')).toBe('page');
});

test('W3 inicio shows a chart, a legend with each game and a table of the votes', async () => {
  const { tell } = setUp();
  await tell({ type: 'standings', standings: STANDINGS });
  await screen.findByLabelText(texts.inicio.chartLabel);
  const legend = screen.getByRole('list', { name: texts.inicio.legendLabel });
  expect(
    within(legend)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Blue Prince', 'Hades II']);
  const table = screen.getByRole('table', { name: texts.inicio.tableCaption });
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['JuegoVotos', 'Blue Prince1 voto', 'Hades II12 votos']);
});

test('W12 the table follows each standing', async () => {
  const { tell } = setUp();
  await tell({ type: 'standings', standings: STANDINGS });
  await screen.findByRole('table');
  await tell({ type: 'standings', standings: [{ id: 'hades-2', name: 'Hades II', votos: 13 }] });
  screen.getByRole('row', { name: 'Hades II 13 votos' });
});

test('W3 inicio tells the total of the votes', async () => {
  const { tell } = setUp();
  await tell({ type: 'standings', standings: STANDINGS });
  screen.getByText('Total: 13 votos');
});

test('W11 inicio is loading until there is a standing', () => {
  setUp();
  expect(screen.getByRole('status').textContent).toBe(texts.inicio.loading);
  expect(screen.queryByRole('table')).toBeNull();
});

test('W11 without games it says so', async () => {
  const { tell } = setUp();
  await tell({ type: 'standings', standings: [] });
  screen.getByText(texts.states.empty);
});

test('W11 without connection from the start it says so, which is not without games', async () => {
  const { tell, listeners } = setUp();
  await tell({ type: 'offline' });
  screen.getByText(texts.inicio.offlineEmpty);
  expect(screen.queryByText(texts.states.empty)).toBeNull();
  expect(listeners.size).toBe(1);
});

test('W11 when the connection is lost the last standing stays, and the status says so', async () => {
  const { tell } = setUp();
  await tell({ type: 'standings', standings: STANDINGS });
  await screen.findByRole('table');
  await tell({ type: 'offline' });
  screen.getByText(texts.inicio.offline);
  screen.getByRole('row', { name: 'Hades II 12 votos' });
  await tell({ type: 'standings', standings: STANDINGS });
  screen.getByText(texts.inicio.live);
  expect(screen.queryByText(texts.inicio.offline)).toBeNull();
});

test('W11 a chart that failed can be tried again', async () => {
  const { user, tell } = setUp();
  await tell({ type: 'failed' });
  screen.getByText(texts.inicio.failed);
  await user.click(screen.getByRole('button', { name: texts.states.retry }));
  await tell({ type: 'standings', standings: STANDINGS });
  await screen.findByRole('table');
});

test('W16 leaving inicio ends the subscription', async () => {
  const { user, tell, listeners } = setUp();
  await tell({ type: 'standings', standings: STANDINGS });
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  expect(listeners.size).toBe(0);
});

test('W6 goty shows a card for each nominee: image, name, text and button', async () => {
  setUp({ path: '/goty' });
  screen.getByRole('heading', { level: 1, name: 'votar por el juego del año' });
  const cards = await screen.findAllByRole('article');
  expect(cards).toHaveLength(2);
  const card = within(screen.getByRole('article', { name: 'Hades II' }));
  expect(card.getByRole('img', { name: 'Hades II' }).getAttribute('src')).toBe(
    '/covers/hades-2.svg',
  );
  card.getByRole('heading', { level: 2, name: 'Hades II' });
  card.getByText('Click aqui para votar');
  expect(card.getByRole('button', { name: 'Votar Hades II' }).textContent).toBe('Votar');
});

test('W6 a cover that does not load is replaced by a drawn one of the same name', async () => {
  setUp({ path: '/goty' });
  const cover = await screen.findByRole('img', { name: 'Hades II' });
  act(() => void cover.dispatchEvent(new Event('error')));
  expect(screen.getByRole('img', { name: 'Hades II' }).tagName).toBe('DIV');
});

test('W7 a vote is sent for that nominee and its outcome is shown', async () => {
  const { user, votes, outcomes } = setUp({ path: '/goty' });
  await user.click(await screen.findByRole('button', { name: 'Votar Hades II' }));
  expect(votes).toEqual(['hades-2']);
  expect(outcomes).toEqual([{ ok: true, mensaje: 'Contado' }]);
});

test('W21 the card of the last vote says so, also after a reload, until another vote', async () => {
  localStorage.clear();
  const { user } = setUp({ path: '/goty' });
  await user.click(await screen.findByRole('button', { name: 'Votar Hades II' }));
  within(screen.getByRole('article', { name: 'Hades II' })).getByText('Tu voto');
  cleanup();
  const { user: later } = setUp({ path: '/goty' });
  within(await screen.findByRole('article', { name: 'Hades II' })).getByText('Tu voto');
  await later.click(screen.getByRole('button', { name: 'Votar Blue Prince' }));
  within(screen.getByRole('article', { name: 'Blue Prince' })).getByText('Tu voto');
  expect(screen.getAllByText('Tu voto')).toHaveLength(1);
});

test('W21 a vote of another tab moves the mark', async () => {
  localStorage.clear();
  setUp({ path: '/goty' });
  await screen.findAllByRole('article');
  localStorage.setItem('goty-last-vote', 'hades-2');
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'goty-last-vote' })));
  const card = screen.getByRole('article', { name: 'Hades II' });
  within(card).getByText('Tu voto');
  const described = within(card).getByRole('button').getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toBe('Tu voto');
});

test('W21 a vote that is not counted leaves no mark', async () => {
  localStorage.clear();
  const { user } = setUp({ path: '/goty', vote: async () => ({ ok: false, mensaje: 'No' }) });
  await user.click(await screen.findByRole('button', { name: 'Votar Hades II' }));
  expect(screen.queryByText('Tu voto')).toBeNull();
});

test('W22 a new screen has its title and the focus; the first one leaves the focus alone', async () => {
  const { user } = setUp();
  expect(document.title).toBe('Resultado en directo · GOTY');
  expect(document.activeElement).toBe(document.body);
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  expect(document.title).toBe('Votar por el juego del año · GOTY');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test('W6 a cover from an address that is no http(s) is not asked for', async () => {
  const url = 'javascript:alert(1)';
  setUp({ path: '/goty', load: async () => [{ id: 'a', name: 'Uno', url }] });
  expect((await screen.findByRole('img', { name: 'Uno' })).tagName).toBe('DIV');
});

test('W9 while a vote is on its way a second press does nothing, and the button says so', async () => {
  const answer = Promise.withResolvers<VoteResponse>();
  const { user, votes } = setUp({ path: '/goty', vote: () => answer.promise });
  const button = await screen.findByRole('button', { name: 'Votar Hades II' });
  await user.dblClick(button);
  await user.click(screen.getByRole('button', { name: 'Votar Blue Prince' }));
  expect(votes).toEqual(['hades-2']);
  expect(button.textContent).toBe(texts.goty.voting);
  expect(button.getAttribute('aria-busy')).toBe('true');
  await act(async () => answer.resolve({ ok: true, mensaje: 'Contado' }));
  expect(button.textContent).toBe('Votar');
  await user.click(button);
  expect(votes).toEqual(['hades-2', 'hades-2']);
});

test('W9 a vote is still on its way for who leaves the screen and comes back', async () => {
  const answer = Promise.withResolvers<VoteResponse>();
  const { user, votes } = setUp({ path: '/goty', vote: () => answer.promise });
  await user.click(await screen.findByRole('button', { name: 'Votar Hades II' }));
  await user.click(screen.getByRole('link', { name: 'Inicio' }));
  await user.click(screen.getByRole('link', { name: 'Votar' }));
  const card = screen.getByRole('article', { name: 'Hades II' });
  const button = within(card).getByRole('button');
  expect(button.textContent).toBe(texts.goty.voting);
  await user.click(button);
  expect(votes).toEqual(['hades-2']);
  await act(async () => answer.resolve({ ok: true, mensaje: 'Contado' }));
  expect(button.textContent).toBe('Votar');
});

test('W10 the list is loaded on the first visit and not again', async () => {
  const { user, loads } = setUp();
  expect(loads).not.toHaveBeenCalled();
  for (const name of ['Votar', 'Inicio', 'Votar']) {
    await user.click(screen.getByRole('link', { name }));
  }
  expect(await screen.findAllByRole('article')).toHaveLength(2);
  expect(loads).toHaveBeenCalledTimes(1);
});

test('W11 goty is loading, then says that there are no nominees', async () => {
  const list = Promise.withResolvers<readonly Nominee[]>();
  setUp({ path: '/goty', load: () => list.promise });
  screen.getByRole('status', { name: texts.goty.loading });
  await act(async () => list.resolve([]));
  screen.getByText(texts.states.empty);
});

test('W11 a list that failed can be tried again', async () => {
  let isDown = true;
  const load = async () => {
    if (isDown) throw new Error('down');
    return NOMINEES;
  };
  const { user } = setUp({ path: '/goty', load });
  await screen.findByText(texts.goty.failed);
  isDown = false;
  await user.click(screen.getByRole('button', { name: texts.states.retry }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
  expect(await screen.findAllByRole('article')).toHaveLength(2);
});
