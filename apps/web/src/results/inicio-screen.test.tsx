import { texts } from '@goty/shared/texts';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderPage, STANDINGS } from '../../testing/render-page.tsx';

// jsdom has no canvas; the end-to-end tests see the real one.
vi.mock('./results-chart.tsx', () => ({
  ResultsChart: () => <canvas aria-label={texts.inicio.chartLabel} />,
}));

test('W3 W5 inicio shows a chart, a legend with each game and a table of the votes', async () => {
  const { tell } = renderPage();
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
  const { tell } = renderPage();
  await tell({ type: 'standings', standings: STANDINGS });
  await screen.findByRole('table');
  await tell({ type: 'standings', standings: [{ id: 'hades-2', name: 'Hades II', votos: 13 }] });
  screen.getByRole('row', { name: 'Hades II 13 votos' });
});

test('W3 inicio tells the total of the votes', async () => {
  const { tell } = renderPage();
  await tell({ type: 'standings', standings: STANDINGS });
  screen.getByText('Total: 13 votos');
});

test('W11 when the connection is lost the last standing stays, and the status says so', async () => {
  const { tell } = renderPage();
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
  const { user, tell } = renderPage();
  await tell({ type: 'failed' });
  screen.getByText(texts.inicio.failed);
  await user.click(screen.getByRole('button', { name: texts.states.retry }));
  await tell({ type: 'standings', standings: STANDINGS });
  await screen.findByRole('table');
});
