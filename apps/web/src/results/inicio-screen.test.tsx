import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { buildEvent } from '../../testing/builders.ts';
import { renderPage, STANDINGS } from '../../testing/render-page.tsx';

/** Renders inicio with the results of two games. */
async function renderResults() {
  const page = renderPage();
  await page.emit();
  await screen.findByRole('row', { name: /^Hades II 12 votos/ });
  return {
    ...page,
    table: screen.getByRole('table', { name: resultTexts.tableCaption }),
    legend: screen.getByRole('list', { name: resultTexts.legendLabel }),
  };
}

/** Lets time pass from now on. */
async function pass(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
}

const shownIn = (elements: readonly HTMLElement[]) =>
  elements.map((element) => element.textContent);

test('W3 W5 inicio shows a chart, a legend with every game, a table of the votes and their total', async () => {
  const { table, legend } = await renderResults();
  screen.getByLabelText(resultTexts.chartLabel);
  screen.getByText('Total: 13 votos.');
  expect(shownIn(within(legend).getAllByRole('listitem'))).toEqual([
    'Blue Prince, 2.º · 1 voto · 7,7\u00a0% ',
    'Hades II, 1.º · 12 votos · 92\u00a0% ',
  ]);
  expect(shownIn(within(table).getAllByRole('row'))).toEqual([
    'JuegoVotosPorcentaje',
    'Blue Prince1 voto7,7\u00a0%',
    'Hades II12 votos92\u00a0%',
  ]);
});

test('W21 after a reset inicio marks no vote, and forgets it', async () => {
  localStorage.setItem('goty-last-vote', 'hades-2');
  const { emit } = await renderResults();
  await screen.findByText(resultTexts.yourVote);
  // Not the clock of the throttle, which has begun.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await emit(buildEvent(STANDINGS.map((game) => ({ ...game, votos: 0 }))));
  await pass(1_000);
  expect(screen.queryByText(resultTexts.yourVote)).toBeNull();
  await pass(14_000);
  expect(localStorage.getItem('goty-last-vote')).toBeNull();
});

test('W36 the English heading is marked as such', () => {
  renderPage();
  expect(screen.getByRole('heading', { level: 1 }).lang).toBe('en');
});

test('W11 without a connection it says so, stays subscribed, and keeps the last standings', async () => {
  const { emit } = renderPage();
  await emit({ type: 'offline' });
  screen.getByText(texts.inicio.offlineEmpty);
  await emit();
  await screen.findByRole('row', { name: /^Hades II 12 votos/ });
  await emit({ type: 'offline' });
  screen.getByText(texts.inicio.offline);
  screen.getByRole('row', { name: /^Hades II 12 votos/ });
  await emit();
  screen.getByText(texts.inicio.live);
  expect(screen.queryByText(texts.inicio.offline)).toBeNull();
});

test('W11 a failed chart can be retried', async () => {
  const { user, emit } = renderPage({ lostLive: 1 });
  await screen.findByText(texts.inicio.failed);
  await user.click(screen.getByRole('button', { name: texts.states.retry }));
  await emit();
  await screen.findByRole('table');
});

test('W22 W46 W61 before the opening inicio counts down, and after the close it names the winner, to be shared', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { emit, setStatus } = renderPage();
  await setStatus({ phase: 'before', opensAt: Date.now() + 90_000, clockOffset: 30_000 });
  await emit();
  // Not a live region: it would be read out each second.
  expect((await screen.findByRole('timer')).textContent).toBe('1\u00a0min 00\u00a0s');
  screen.getByRole('link', { name: texts.inicio.nominees });
  screen.getByText(texts.inicio.before);
  expect(screen.queryByText(texts.inicio.live)).toBeNull();

  await setStatus({});
  screen.getByRole('heading', { level: 2, name: 'Hades II va en cabeza' });
  screen.getByRole('link', { name: texts.inicio.vote });

  await setStatus({ phase: 'closed', closesAt: Date.now() });
  screen.getByText(texts.inicio.final);
  expect(screen.queryByText(texts.inicio.live)).toBeNull();
  expect(screen.queryByText(texts.inicio.leads.open)).toBeNull();
  screen.getByRole('heading', { level: 2, name: 'Hades II es el juego del año' });
  expect(document.title).toBe('Resultado final · GOTY');
  const user = userEvent.setup();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(await screen.findByRole('button', { name: 'Compartir' }));
  const shared = 'Hades II es el juego del año http://localhost:3000/inicio';
  expect(writeText).toHaveBeenCalledWith(expect.stringContaining(shared));
});

test('W34 W65 the legend has the covers, except one that does not load', async () => {
  const { legend } = await renderResults();
  await waitFor(() => expect(legend.querySelectorAll('img')).toHaveLength(2));
  act(() => void legend.querySelector('img')?.dispatchEvent(new Event('error')));
  expect(legend.querySelectorAll('img')).toHaveLength(1);
});
