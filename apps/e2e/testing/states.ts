import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import type { Page } from '@playwright/test';
import { chart, expect, NOMINEES, outcomeDialog, voteButton } from './goty-test.ts';
import type { LiveBackend } from './live-backend.ts';

/** Every state of the page by its name: opens the page in it, and waits until it is shown. */
export const STATES: Record<string, (at: { page: Page; live: LiveBackend }) => Promise<void>> = {
  async inicio({ page }) {
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
  },
  async 'inicio with thirty games'({ page, live }) {
    await live.fakeStandings(thirtyGames());
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
  },
  async 'inicio without votes'({ page, live }) {
    await live.fakeStandings(thirtyGames().map((game) => ({ ...game, votos: 0 })));
    await page.goto('/inicio');
    await expect(page.getByRole('heading', { name: resultTexts.none })).toBeVisible();
  },
  async 'inicio before the opening'({ page }) {
    await fakeTimes(page, { opensAt: Date.now() + 100_000_000 });
    await page.goto('/inicio');
    await expect(page.getByRole('timer')).toBeVisible();
  },
  async 'inicio after the close'({ page, live }) {
    await live.fakeStandings(thirtyGames().slice(0, 8));
    await fakeTimes(page, { closesAt: Date.now() - 1_000 });
    await page.goto('/inicio');
    await expect(page.getByRole('heading', { name: /es el juego del año/ })).toBeVisible();
  },
  async 'inicio loading'({ page, live }) {
    await page.route(live.url, () => {});
    await page.goto('/inicio');
    await expect(page.getByText(texts.inicio.loading)).toBeVisible();
  },
  async 'inicio empty'({ page, live }) {
    await live.fakeStandings([]);
    await page.goto('/inicio');
    await expect(page.getByText(texts.states.empty)).toBeVisible();
  },
  async 'inicio without a connection'({ page, live }) {
    await page.route(live.url, (route) => route.abort());
    await page.goto('/inicio');
    await expect(page.getByText(texts.inicio.offlineEmpty)).toBeVisible();
  },
  async 'inicio with a lost connection'({ page }) {
    await page.goto('/inicio');
    await expect(chart(page)).toBeVisible();
    await page.context().setOffline(true);
    await expect(page.getByText(texts.inicio.offline)).toBeVisible();
  },
  async goty({ page }) {
    await page.goto('/goty');
    await expect(voteButton(page, 'Hades II')).toBeVisible();
  },
  async 'goty loading'({ page }) {
    await page.route(NOMINEES, () => {});
    await page.goto('/goty');
    await expect(page.getByRole('status', { name: texts.goty.loading })).toBeVisible();
  },
  async 'goty empty'({ page }) {
    await page.route(NOMINEES, (route) => route.fulfill({ json: [] }));
    await page.goto('/goty');
    await expect(page.getByText(texts.states.empty)).toBeVisible();
  },
  async 'goty failed'({ page }) {
    await page.route(NOMINEES, (route) => route.fulfill({ status: 500 }));
    await page.goto('/goty');
    await expect(page.getByText(texts.goty.failed)).toBeVisible();
  },
  async 'goty while voting'({ page }) {
    await page.route('**/api/goty/hades-2', () => {});
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await expect(voteButton(page, 'Hades II')).toHaveText(texts.goty.voting);
  },
  async 'goty with the dialog Gracias'({ page }) {
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await expect(outcomeDialog(page, 'Gracias')).toBeVisible();
  },
  async 'goty with the dialog Ooops'({ page }) {
    await page.route('**/api/goty/hades-2', (route) => route.fulfill({ status: 500 }));
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await expect(outcomeDialog(page, 'Ooops')).toBeVisible();
  },
  async 'goty after a vote'({ page }) {
    await page.goto('/goty');
    await voteButton(page, 'Hades II').click();
    await page.getByRole('button', { name: texts.dialog.confirm }).click();
    await expect(page.getByText(texts.goty.yourVote)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
};

function fakeTimes(page: Page, times: { readonly opensAt?: number; readonly closesAt?: number }) {
  return page.route('**/api/status', (route) =>
    route.fulfill({ json: { now: Date.now(), nominees: '', ...times } }),
  );
}

/** More games than fit into the chart. */
export function thirtyGames() {
  return Array.from({ length: 30 }, (_, index) => ({
    id: `game-${index}`,
    name: `Juego número ${index + 1}`,
    votos: (index * 37) % 100,
  }));
}
