import { texts } from '@goty/shared/texts';
import {
  BOTH_HOMES,
  expect,
  FAILED_REQUEST,
  NOMINEES,
  test,
  voteButton,
  votesCell,
} from '../testing/goty-test.ts';

test('W11 goty: a failed list shows an error, and the button retries', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(FAILED_REQUEST);
  let isDown = true;
  await page.route(NOMINEES, (route) =>
    isDown ? route.fulfill({ status: 500, body: 'no' }) : route.continue(),
  );
  await page.goto('/goty');
  await expect(page.getByRole('alert')).toContainText(texts.goty.failed);
  isDown = false;
  await page.getByRole('button', { name: texts.states.retry }).click();
  await expect(voteButton(page, 'Hades II')).toBeVisible();
});

test('W14 inicio: missing and fractional votes are shown as 0 votes', { tag: BOTH_HOMES }, async ({
  page,
  live,
}) => {
  await live.fakeStandings([
    { id: 'a', name: 'Sin votos' },
    { id: 'b', name: 'Medio voto', votos: 0.5 },
  ]);
  await page.goto('/inicio');
  await expect(votesCell(page, 'Sin votos')).toHaveText('0 votos');
  await expect(votesCell(page, 'Medio voto')).toHaveText('0 votos');
});

test('W11 inicio: a failed connection shows an error, and the button retries', {
  tag: BOTH_HOMES,
}, async ({ page, expectedErrors, live }) => {
  expectedErrors.push(FAILED_REQUEST);
  let isDown = true;
  await page.route(live.url, (route) => (isDown ? route.abort() : route.continue()));
  await page.goto('/inicio');
  await expect(page.getByRole('alert')).toContainText(texts.inicio.offlineEmpty);
  await expect(page.getByText(texts.states.empty)).toHaveCount(0);
  isDown = false;
  await page.getByRole('button', { name: texts.states.retry }).click();
  await expect(votesCell(page, 'Hades II')).toBeAttached();
});

test('W11 inicio: a lost connection keeps the last standings, says so, and recovers', {
  tag: BOTH_HOMES,
}, async ({ page, context, expectedErrors }) => {
  expectedErrors.push(FAILED_REQUEST);
  await page.goto('/inicio');
  await expect(page.getByText(texts.inicio.live, { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText(texts.inicio.offline)).toBeVisible();
  await expect(votesCell(page, 'Hades II')).toBeAttached();
  await context.setOffline(false);
  await expect(page.getByText(texts.inicio.live, { exact: true })).toBeVisible();
});

test('W11 inicio: a response that is not an event stream is a failed connection', {
  tag: BOTH_HOMES,
}, async ({ page, expectedErrors, live }) => {
  expectedErrors.push(FAILED_REQUEST, /EventSource/);
  await page.route(live.url, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/inicio');
  await expect(page.getByRole('alert')).toContainText(texts.inicio.offlineEmpty);
});
