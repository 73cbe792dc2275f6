import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import type { Locator, Page } from '@playwright/test';
import { expect, NOMINEES, outcomeDialog, VOTE, voteButton } from './goty-test.ts';
import type { LiveBackend } from './live-backend.ts';
import { closeDialog, openGoty, openInicio, vote } from './steps.ts';

/** Every state of the page by its name: opens the page in it, and waits until it is shown. */
export const STATES: Record<string, (at: { page: Page; live: LiveBackend }) => Promise<void>> = {
  inicio: ({ page }) => openInicio(page),
  async 'inicio with thirty games'({ page, live }) {
    await live.fakeStandings(thirtyGames());
    await openInicio(page);
  },
  async 'inicio without votes'({ page, live }) {
    await live.fakeStandings(thirtyGames().map((game) => ({ ...game, votos: 0 })));
    await open(page, '/inicio', page.getByRole('heading', { name: resultTexts.none }));
  },
  async 'inicio before the opening'({ page }) {
    await fakeStatus(page, { opensAt: Date.now() + 100_000_000 });
    await open(page, '/inicio', page.getByRole('timer'));
  },
  async 'inicio after the close'({ page, live }) {
    await live.fakeStandings(thirtyGames().slice(0, 8));
    await fakeStatus(page, { closesAt: Date.now() - 1_000 });
    await open(page, '/inicio', page.getByRole('heading', { name: /es el juego del año/ }));
  },
  async 'inicio loading'({ page, live }) {
    await page.route(live.url, () => {});
    await open(page, '/inicio', page.getByText(texts.inicio.loading));
  },
  async 'inicio empty'({ page, live }) {
    await live.fakeStandings([]);
    await open(page, '/inicio', page.getByText(texts.states.empty));
  },
  async 'inicio without a connection'({ page, live }) {
    await page.route(live.url, (route) => route.abort());
    await open(page, '/inicio', page.getByText(texts.inicio.offlineEmpty));
  },
  async 'inicio with a lost connection'({ page }) {
    await openInicio(page);
    await page.context().setOffline(true);
    await expect(page.getByText(texts.inicio.offline)).toBeVisible();
  },
  goty: ({ page }) => openGoty(page),
  async 'goty loading'({ page }) {
    await page.route(NOMINEES, () => {});
    await open(page, '/goty', page.getByRole('status', { name: texts.goty.loading }));
  },
  async 'goty empty'({ page }) {
    await page.route(NOMINEES, (route) => route.fulfill({ json: [] }));
    await open(page, '/goty', page.getByText(texts.states.empty));
  },
  async 'goty failed'({ page }) {
    await page.route(NOMINEES, (route) => route.fulfill({ status: 500 }));
    await open(page, '/goty', page.getByText(texts.goty.failed));
  },
  async 'goty while voting'({ page }) {
    await page.route(VOTE, () => {});
    await openGoty(page);
    await voteButton(page).click();
    await expect(voteButton(page)).toHaveText(texts.goty.voting);
  },
  async 'goty with the dialog Gracias'({ page }) {
    await openGoty(page);
    await vote(page);
  },
  async 'goty with the dialog Ooops'({ page }) {
    await page.route(VOTE, (route) => route.fulfill({ status: 500 }));
    await openGoty(page);
    await voteButton(page).click();
    await expect(outcomeDialog(page, 'Ooops')).toBeVisible();
  },
  async 'goty after a vote'({ page }) {
    await openGoty(page);
    await vote(page);
    await closeDialog(page);
    await expect(page.getByText(texts.goty.yourVote)).toBeVisible();
  },
};

async function open(page: Page, path: '/inicio' | '/goty', shown: Locator) {
  await page.goto(path);
  await expect(shown).toBeVisible();
}

export interface FakeStatus {
  opensAt?: number;
  closesAt?: number;
  nominees?: string;
}

/** Answers the page's requests for the status. What changes in `status` later, changes there. */
export async function fakeStatus(page: Page, status: FakeStatus) {
  await page.route('**/api/status', (route) =>
    route.fulfill({ json: { now: Date.now(), nominees: '', ...status } }),
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
