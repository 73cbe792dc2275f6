import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { renderPage, STANDINGS } from '../../testing/render-page.tsx';
import { ALWAYS_OPEN } from '../status/vote-status.ts';

// jsdom has no canvas; the end-to-end tests cover the real chart.
vi.mock('./chart/results-chart.tsx', () => ({
  ResultsChart: () => <canvas aria-label={resultTexts.chartLabel} />,
}));

test('W3 W5 inicio shows a chart, a legend with every game and a table of the votes', async () => {
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
  await screen.findByLabelText(resultTexts.chartLabel);
  await screen.findByRole('row', { name: /^Hades II/ });
  const legend = screen.getByRole('list', { name: resultTexts.legendLabel });
  expect(
    within(legend)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Blue Prince, 2.º · 1 voto · 7,7\u00a0% ', 'Hades II, 1.º · 12 votos · 92\u00a0% ']);
  const table = screen.getByRole('table', { name: resultTexts.tableCaption });
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['JuegoVotosPorcentaje', 'Blue Prince1 voto7,7\u00a0%', 'Hades II12 votos92\u00a0%']);
});

test('W21 after a reset inicio marks no vote, and forgets it', async () => {
  localStorage.setItem('goty-last-vote', 'hades-2');
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
  await screen.findByText(resultTexts.yourVote);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await emit({ type: 'standings', standings: STANDINGS.map((game) => ({ ...game, votos: 0 })) });
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(screen.queryByText(resultTexts.yourVote)).toBeNull();
  expect(localStorage.getItem('goty-last-vote')).toBeNull();
});

test('W36 the heading is marked as English', () => {
  renderPage();
  expect(screen.getByRole('heading', { level: 1 }).lang).toBe('en');
});

test('W12 new standings update the table', async () => {
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
  await screen.findByRole('table');
  await emit({ type: 'standings', standings: [{ id: 'hades-2', name: 'Hades II', votos: 13 }] });
  await screen.findByRole('row', { name: /^Hades II 13 votos/ }, { timeout: 4_000 });
});

test('W3 inicio shows the total number of votes', async () => {
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
  await screen.findByText('Total: 13 votos.');
});

test('W11 a lost connection keeps the last standings, and the status says so', async () => {
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
  await screen.findByRole('table');
  await emit({ type: 'offline' });
  screen.getByText(texts.inicio.offline);
  screen.getByRole('row', { name: /^Hades II 12 votos/ });
  await emit({ type: 'standings', standings: STANDINGS });
  screen.getByText(texts.inicio.live);
  expect(screen.queryByText(texts.inicio.offline)).toBeNull();
});

test('W11 without a connection from the start it says so, and stays subscribed', async () => {
  const { emit, listeners } = renderPage();
  await emit({ type: 'offline' });
  screen.getByText(texts.inicio.offlineEmpty);
  expect(listeners.size).toBe(1);
});

test('W11 a failed chart can be retried', async () => {
  const { user, emit } = renderPage();
  await emit({ type: 'failed' });
  screen.getByText(texts.inicio.failed);
  await user.click(screen.getByRole('button', { name: texts.states.retry }));
  await emit({ type: 'standings', standings: STANDINGS });
  await screen.findByRole('table');
});

test('W61 before the opening inicio counts down, and after the close it names the winner', async () => {
  const { emit, setStatus } = renderPage();
  const opensAt = Date.now() + 90_000;
  await setStatus({ ...ALWAYS_OPEN, phase: 'before', opensAt, clockOffset: 30_000 });
  await emit({ type: 'standings', standings: STANDINGS });
  // Not a live region: it would be read out each second.
  expect((await screen.findByRole('timer')).textContent).toMatch(/^(1\u00a0min 00|59)\u00a0s$/);
  screen.getByRole('link', { name: texts.inicio.nominees });
  screen.getByText(texts.inicio.before);
  expect(screen.queryByText(texts.inicio.live)).toBeNull();

  await setStatus(ALWAYS_OPEN);
  screen.getByRole('heading', { level: 2, name: 'Hades II va en cabeza' });
  screen.getByRole('link', { name: texts.inicio.vote });

  await setStatus({ ...ALWAYS_OPEN, phase: 'closed', closesAt: Date.now() });
  screen.getByText(texts.inicio.final);
  expect(screen.queryByText(texts.inicio.live)).toBeNull();
  expect(screen.queryByText(texts.inicio.leads.open)).toBeNull();
  screen.getByRole('heading', { level: 2, name: 'Hades II es el juego del año' });
  expect(screen.queryByRole('button', { name: 'Compartir' })).toBeNull();
});

test('W65 the legend has the covers, once the nominees are known', async () => {
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
  const legend = await screen.findByRole('list', { name: resultTexts.legendLabel });
  await waitFor(() => expect(legend.querySelectorAll('img')).toHaveLength(2));
});

test('W34 W65 a cover that does not load is not shown in the legend', async () => {
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
  const legend = await screen.findByRole('list', { name: resultTexts.legendLabel });
  await waitFor(() => expect(legend.querySelectorAll('img')).toHaveLength(2));
  act(() => void legend.querySelector('img')?.dispatchEvent(new Event('error')));
  expect(legend.querySelectorAll('img')).toHaveLength(1);
});
