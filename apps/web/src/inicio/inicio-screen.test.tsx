import { resultTexts, shareButtonTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildLive } from '../../testing/builders.ts';
import { HADES_LEADS, renderPage } from '../../testing/render-page.tsx';

/** Renders inicio with the results of two games. */
// Here, so that no test waits for the code of the results, which takes long beside other suites.
await import('./results.tsx');

async function renderResults() {
  const page = renderPage();
  await page.emit();
  await screen.findByRole('row', { name: /^1\.º Hades II .*12 votos/ });
  return {
    ...page,
    table: screen.getByRole('table', { name: resultTexts.tableCaption }),
    legend: screen.getByRole('list', { name: resultTexts.legendLabel }),
  };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const shownIn = (elements: readonly HTMLElement[]) =>
  elements.map((element) => element.textContent);

test('W3 W5 W6 W36 inicio shows a chart, a legend with every game and its cover, a table of the votes and their total', async () => {
  const { table, legend } = await renderResults();
  expect(screen.getByRole('heading', { level: 1 }).lang).toBe('en');
  screen.getByLabelText(resultTexts.chartLabel);
  await screen.findByText('13 votos');
  expect(shownIn(within(legend).getAllByRole('listitem'))).toEqual(['Blue Prince', 'Hades II']);
  expect(shownIn(within(table).getAllByRole('row'))).toEqual([
    'JuegoVotosPorcentaje',
    '2.º Blue Prince 1 voto8\u00a0%',
    '1.º Hades II 12 votos92\u00a0%',
  ]);
  await waitFor(() => expect(legend.querySelectorAll('img')).toHaveLength(2));
  act(() => void legend.querySelector('img')?.dispatchEvent(new Event('error')));
  expect(legend.querySelectorAll('img')).toHaveLength(1);
  // Where it was, as until it comes, are the game's initials.
  const frames = [...legend.querySelectorAll<HTMLElement>('[data-initials]')];
  expect(frames.map(({ dataset }) => dataset.initials)).toEqual(['BP', 'HI']);
});

test('W39 the lists are rendered after the rest of the results, because long ones take long', async () => {
  const added: Node[] = [];
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) added.push(...addedNodes);
  });
  observer.observe(document, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  const { legend } = await renderResults();
  // Of one rendering, the nodes are added in the order of the document, in which this one comes last.
  const last = screen.getByText(/Total: 13 votos/);
  await waitFor(() => expect(added).toContain(legend));
  expect(added).toContain(last);
  expect(added.indexOf(last)).toBeLessThan(added.indexOf(legend));
});

test('W21 W64 after a reset inicio marks no vote, but one that is not shown yet', async () => {
  localStorage.setItem('goty-last-vote', 'hades-2  v');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { emit, setStatus } = await renderResults();
  await screen.findAllByText(texts.goty.yourVote);
  await emit(buildLive(HADES_LEADS.map(({ votos, ...game }) => ({ ...game, votos: votos % 2 }))));
  await pass(1_000);
  expect(screen.queryByText(texts.goty.yourVote)).toBeNull();
  await setStatus({ phase: 'frozen' });
  screen.getByText(texts.goty.yourVote);
});

test('W11 without a connection it says so, can ask again, and keeps the last standings', async () => {
  const { user, emit, refresh } = renderPage();
  await emit({ connection: 'offline', standings: undefined });
  screen.getByText(texts.inicio.offlineEmpty);
  await user.click(screen.getByRole('button', { name: texts.states.retry }));
  expect(refresh).toHaveBeenCalledOnce();
  await emit();
  await screen.findByRole('row', { name: /^1\.º Hades II 12 votos/ });
  await emit({ connection: 'offline', standings: HADES_LEADS });
  screen.getByText(texts.inicio.status.offline);
  // Nothing is live, and nothing says so.
  screen.getByText(texts.inicio.leads.offline);
  expect(document.body.textContent + document.title).not.toMatch(/directo/);
  screen.getByRole('row', { name: /^1\.º Hades II 12 votos/ });
  await emit();
  screen.getByText(texts.inicio.status.open);
  expect(screen.queryByText(texts.inicio.status.offline)).toBeNull();
});

test('W11 without nominees neither screen invites to vote', async () => {
  const { user, emit, setStatus } = renderPage({ load: async () => [] });
  await setStatus({ closesAt: Date.now() + 90_000 });
  await emit(buildLive([]));
  screen.getByText(texts.states.empty);
  expect(screen.queryByRole('link', { name: texts.inicio.vote })).toBeNull();
  await user.click(screen.getByRole('link', { name: texts.inicio.nominees }));
  await screen.findByText(texts.states.empty);
  expect(document.body.textContent).not.toMatch(/Elige|termina/);
});

test("W22 W23 W46 W61 W119 before the opening inicio counts down by the server's clock, and after the close it names the winner, to be shared", async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const { emit, setStatus } = renderPage();
  const clockOffset = Date.now() - performance.now() + 30_000;
  await setStatus({ phase: 'before', opensAt: Date.now() + 90_000, clockOffset });
  await emit();
  // Not a live region: it would be read out each second.
  const timer = await screen.findByRole('timer', {
    name: /^La votación empieza (hoy|mañana) a las? /,
  });
  expect(timer.textContent).toBe('01 minuto00 segundos');
  screen.getByRole('heading', { level: 2, name: timer.ariaLabel ?? '' });
  screen.getByRole('link', { name: texts.inicio.nominees });
  screen.getByText(texts.inicio.status.before);
  expect(screen.queryByText(texts.inicio.status.open)).toBeNull();

  await setStatus({});
  screen.getByRole('heading', { level: 2, name: 'Hades II va en cabeza' });
  screen.getByRole('link', { name: texts.inicio.vote });
  const leads = 'Hades II va en cabeza. Con 12 votos (92 %), 11 más que Blue Prince.';
  expect(screen.getByText(`${leads} Total: 13 votos.`).role).toBe('status');

  // A minute ago.
  const offset = Date.now() + 60_000 - performance.now();
  await setStatus({ phase: 'closed', closesAt: Date.now(), clockOffset: offset });
  screen.getByText(texts.inicio.status.closed);
  expect(screen.queryByText(texts.inicio.status.open)).toBeNull();
  expect(screen.queryByText(texts.inicio.leads.open)).toBeNull();
  screen.getByRole('heading', { level: 2, name: 'Hades II es el juego del año' });
  expect(screen.getByText(/^Hades II es el juego del año\. Con 12 votos/).role).toBe('status');
  expect(document.title).toBe('Resultado final · GOTY');
  const user = userEvent.setup();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(await screen.findByRole('button', { name: 'Compartir' }));
  const shared = 'Hades II es el juego del año https://goty.example/inicio';
  expect(writeText).toHaveBeenCalledWith(expect.stringContaining(shared));
  expect(screen.getByText(shareButtonTexts.copied).role).toBe('status');
});

test("W121 inicio and goty name a day anew when the visitor's day begins", async () => {
  const now = new Date(2026, 10, 27, 23, 59).getTime();
  vi.useFakeTimers({ toFake: ['Date'], now });
  const opensAt = now + 3_600_000;
  const frozenAt = now - 1;
  const { emit, setStatus, user } = renderPage();
  await setStatus({ phase: 'before', opensAt, today: 'friday' });
  await emit();
  await screen.findByRole('heading', { level: 2, name: 'La votación empieza mañana a las 00:59' });
  vi.setSystemTime(now + 120_000);
  await setStatus({ phase: 'before', opensAt, today: 'saturday' });
  screen.getByRole('heading', { level: 2, name: 'La votación empieza hoy a las 00:59' });
  await setStatus({ phase: 'frozen', frozenAt, closesAt: now + 7_200_000 });
  screen.getByText('Recuento hasta ayer a las 23:58');
  await user.click(screen.getByRole('link', { name: texts.inicio.vote }));
  await screen.findByText('La votación termina hoy a la 01:59.');
});

test('W61 W146 until the result is final, inicio says that votes are counted, or that there is no connection', async () => {
  const { emit, setStatus } = renderPage();
  await setStatus({ phase: 'counting', closesAt: Date.now() });
  await emit();
  await screen.findByRole('heading', { level: 2, name: 'La votación ha terminado' });
  // Over the panel, and for screen readers.
  expect(screen.getAllByText('Contando los votos…')).toHaveLength(2);
  screen.getByText(texts.inicio.leads.closed, { selector: '.lead' });
  expect(document.title).toBe(texts.inicio.titles.held);
  expect(document.body.textContent).not.toMatch(/en cabeza|es el juego del año|En directo/);
  await emit({ standings: HADES_LEADS, connection: 'offline' });
  screen.getByText(texts.inicio.status.offline);
  expect(screen.queryByText('Contando los votos…')).toBeNull();
});

test('W151 V10 W146 inicio offers the result as a picture once it is shown, drawn from what is shown at the press', async () => {
  const picturing = await import('./result-picture.ts');
  const drawResult = vi.spyOn(picturing, 'drawResult').mockResolvedValue(undefined);
  const savePicture = vi.spyOn(picturing, 'savePicture');
  savePicture.mockResolvedValue({ message: 'Lista', picture: 'data:image/png;base64,' });
  const button = () => screen.queryByRole('button', { name: 'Guardar imagen' });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { emit, setStatus } = renderPage();
  await setStatus({ listRevision: '' });
  await emit();
  await screen.findByRole('button', { name: shareButtonTexts.share });
  const closesAt = Date.now();
  for (const phase of ['open', 'frozen', 'held', 'counting'] as const) {
    await setStatus({ listRevision: '', phase, closesAt, frozenAt: 1 });
    expect([phase, button()]).toEqual([phase, null]);
  }
  await setStatus({ listRevision: '', phase: 'closed', closesAt });
  // As long as 'Contando los votos…' covers it, and the stage tells the second place.
  expect(button()).toBeNull();
  for (const ms of [2_000, 2_000, 1_000]) await pass(ms);
  expect(button()).not.toBeNull();
  const shown = HADES_LEADS.map((game) => ({ ...game, votos: game.id === 'hades-2' ? 1 : 5 }));
  await emit(buildLive(shown));
  await pass(1_000);
  screen.getByRole('heading', { level: 2, name: 'Blue Prince es el juego del año' });
  act(() => button()?.click());
  await waitFor(() => expect(drawResult).toHaveBeenCalledOnce());
  const [drawn, games, time] = drawResult.mock.calls[0] ?? [];
  expect([drawn?.name, time]).toEqual(['Blue Prince', closesAt]);
  expect(games?.map(({ value }) => value).toSorted()).toEqual([1, 5]);
  expect((await screen.findByText('Lista')).role).toBe('status');
  const picture = () => screen.queryByRole('img', { name: 'Blue Prince es el juego del año' });
  expect(picture()?.getAttribute('src')).toBe('data:image/png;base64,');
  // Without its chunk there is none.
  drawResult.mockRejectedValueOnce(new TypeError('no chunk'));
  act(() => button()?.click());
  await screen.findByText(shareButtonTexts.noPicture);
  expect(picture()).toBeNull();
  await setStatus({ listRevision: '', phase: 'closed', closesAt });
  await emit(buildLive(HADES_LEADS.map((game) => ({ ...game, votos: 0 }))));
  await pass(1_000);
  // Without votes nobody has won.
  expect(button()).toBeNull();
  // Without an address that others can open, a result can still be saved, though not shared.
  const canonical = document.querySelector('link');
  onTestFinished(() => canonical?.setAttribute('href', 'https://goty.example/inicio'));
  canonical?.setAttribute('href', 'http://localhost/inicio');
  await emit();
  await pass(1_000);
  expect(button()).not.toBeNull();
  expect(screen.queryByRole('button', { name: shareButtonTexts.share })).toBeNull();
});

test('W145 W146 the stage says that votes are counted, and that it has no connection once that is lost', async () => {
  const { emit, setStatus } = renderPage({ path: '/inicio#sala' });
  await setStatus({ phase: 'counting', closesAt: Date.now() });
  await emit();
  await screen.findByRole('heading', { level: 1, name: 'Contando los votos…' });
  await emit({ standings: HADES_LEADS, connection: 'offline' });
  await screen.findByRole('heading', { level: 1, name: texts.inicio.offlineEmpty });
});

test('W93 a frozen vote says so instead of who leads, and after the close how many votes were voided', async () => {
  vi.stubEnv('TZ', 'Europe/Madrid');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 11, 31, 18, 30) });
  const { emit, setStatus } = renderPage();
  const frozenAt = Date.UTC(2026, 11, 31, 18);
  const closesAt = Date.UTC(2026, 11, 31, 21);
  await setStatus({ phase: 'frozen', frozenAt, closesAt });
  await emit();
  const title = 'Recuento en secreto hasta el final';
  const heading = await screen.findByRole('heading', { level: 2, name: title });
  expect(heading.parentElement?.textContent).toMatch(
    /finalAún no se muestran los votos posteriores a las 19:00\.$/,
  );
  screen.getByText(texts.inicio.status.frozen);
  screen.getByText('La votación termina hoy a las 22:00');
  screen.getByText(texts.inicio.leads.frozen);
  expect(document.body.textContent).not.toContain('va en cabeza');
  // The share of a frozen vote is an invitation.
  screen.getByRole('link', { name: texts.inicio.vote });

  await setStatus({ phase: 'held', frozenAt, closesAt });
  screen.getByRole('heading', { level: 2, name: 'El resultado se anunciará en breve' });
  expect(document.querySelector('[data-held="old"] canvas')).not.toBeNull();
  screen.getByText(texts.inicio.status.held);
  screen.getByText('Recuento hasta las 19:00');
  screen.getByText(texts.inicio.leads.closed);
  expect(document.title).toBe(texts.inicio.titles.held);
  expect(document.body.textContent).not.toMatch(/secreto|siguen contando|termina /);

  await emit(buildLive(HADES_LEADS.map((game) => ({ ...game, votos: 13 - game.votos }))));
  const moved = { movedFrom: closesAt - 900_000 };
  const first = frozenAt + 60_000;
  const moment = frozenAt + 600_000;
  const voids = [
    { from: first, to: first + 240_000 },
    { from: moment, to: moment + 1 },
  ];
  const clockOffset = closesAt + 60_000 - performance.now();
  await setStatus({ phase: 'closed', closesAt, clockOffset, voided: 1_204, voids, ...moved });
  const result = screen.getByRole('heading', { level: 2, name: 'Blue Prince es el juego del año' });
  expect(result.parentElement?.textContent).toContain(
    'La organización anuló 1.204 votos, emitidos de 19:01 a 19:05 y a las 19:10. El cierre se aplazó de 21:45 a 22:00.',
  );
  const all = [
    ...voids,
    ...voids.map(({ from, to }) => ({ from: from + 3_600_000, to: to + 3_600_000 })),
  ];
  await setStatus({
    phase: 'closed',
    closesAt,
    voided: 9,
    voids: all,
    reopenedAt: closesAt - 60_000,
  });
  expect(result.parentElement?.textContent).toContain(
    'La organización anuló 9 votos, emitidos en 4 momentos, de 19:01 a 20:10. La votación se reabrió hoy a las 21:59.',
  );
});

test('W93 while a vote is secret that was so from its opening on, no zeros are told, and after the close no chart is shown', async () => {
  const { emit, setStatus } = renderPage();
  await setStatus({ phase: 'frozen', frozenAt: 1 });
  await emit(buildLive(HADES_LEADS.map((game) => ({ ...game, votos: 0 }))));
  await screen.findByRole('button', { name: shareButtonTexts.share });
  expect(screen.queryByRole('table')).toBeNull();
  expect(document.querySelector('[data-held]')).toBeNull();
  await setStatus({ phase: 'held', frozenAt: 1 });
  expect(document.querySelector('[data-held="untold"] canvas')).not.toBeNull();
  expect(document.body.textContent).not.toMatch(/0 votos|Recuento hasta/);
});

test('W111 W146 while the panel is dark, it says that the votes are counted, and nothing of the result is in the page', async () => {
  const { emit, setStatus } = renderPage();
  await setStatus({ listRevision: '', phase: 'held' });
  await emit();
  await screen.findByRole('table');
  expect(screen.queryByText('Contando los votos…')).toBeNull();
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  await setStatus({ listRevision: '', phase: 'closed' });
  await emit(buildLive(HADES_LEADS.map((game) => ({ ...game, votos: 40 - game.votos }))));
  // Over the panel, and for screen readers.
  expect(screen.getAllByText('Contando los votos…')).toHaveLength(2);
  const page = () => document.title + document.body.textContent;
  const result = /es el juego del año|Resultado final|39 votos|67 votos/;
  // Meanwhile the stage tells the second place.
  for (const ms of [2_000, 2_000, 900]) {
    await pass(ms);
    expect(page()).not.toMatch(result);
  }
  await pass(200);
  expect(page()).toMatch(/Resultado final.*67 votos.*Blue Prince es el juego del año.*39 votos/s);
});

test('W64 W123 everybody can see the table, ranked by votes and with Tu voto', async () => {
  localStorage.setItem('goty-last-vote', 'hades-2  v');
  const { user, table, emit, setStatus } = await renderResults();
  const games = () => shownIn(within(table).getAllByRole('rowheader'));
  expect(table.parentElement?.className).toContain('visually-hidden');
  expect(games()).toEqual(['2.º Blue Prince ', '1.º Hades II Tu voto']);
  await user.click(screen.getByRole('button', { name: resultTexts.ranking, pressed: false }));
  expect(table.parentElement?.className).not.toContain('visually-hidden');
  expect(games()).toEqual(['1.º Hades II Tu voto', '2.º Blue Prince ']);
  await emit(buildLive(HADES_LEADS.map((game) => ({ ...game, votos: 7 }))));
  await expect.poll(games).toEqual(['1.º Blue Prince ', '1.º Hades II Tu voto']);
  // While votes are secret, nobody has a place.
  await setStatus({ phase: 'frozen' });
  await expect.poll(games).toEqual(['Blue Prince ', 'Hades II Tu voto']);
});
