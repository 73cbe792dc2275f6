import { texts } from '@goty/shared/texts';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPage, STANDINGS } from '../../testing/render-page.tsx';

// jsdom has no canvas; the end-to-end tests cover the real chart.
vi.mock('./results-chart.tsx', () => ({
  ResultsChart: () => <canvas aria-label={texts.inicio.chartLabel} />,
}));

test('W3 W5 inicio shows a chart, a legend with every game and a table of the votes', async () => {
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
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
  ).toEqual(['JuegoVotosPorcentaje', 'Blue Prince1 voto7,7\u00a0%', 'Hades II12 votos92\u00a0%']);
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
  await screen.findByRole('row', { name: /^Hades II 13 votos/ });
});

test('W3 inicio shows the total number of votes', async () => {
  const { emit } = renderPage();
  await emit({ type: 'standings', standings: STANDINGS });
  screen.getByText('Total: 13 votos');
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
