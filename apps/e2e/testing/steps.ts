import { shareButtonTexts } from '@goty/shared/result-texts';
import { voteTexts } from '@goty/shared/vote-texts';
import type { Locator, Page } from '@playwright/test';
import {
  chart,
  expect,
  GAME,
  outcomeDialog,
  untilHydrated,
  voteButton,
  votesCell,
} from './goty-test.ts';

/** Opens inicio, and waits for what comes last, after which nothing moves by itself. */
export async function openInicio(page: Page) {
  await page.goto('/inicio');
  await expect(chart(page)).toBeVisible();
  await expect(page.getByRole('button', { name: shareButtonTexts.share })).toBeVisible();
}

/** Opens goty, and waits for React: before it has come a link loads a new page. */
export async function openGoty(page: Page) {
  await page.goto('/goty');
  await expect(voteButton(page)).toBeVisible();
  await untilHydrated(page);
}

export async function voteElsewhere(page: Page, game: string) {
  // Tried again only if the server closes the connection, which it does after 5 s of idleness.
  const response = await page.request.post(`/api/goty/${game}`, { maxRetries: 3 });
  expect(response.status()).toBe(200);
}

export async function follow(page: Page, name: 'Inicio' | 'Votar') {
  await page.getByRole('link', { name, exact: true }).click();
}

/** Votes for a game, and returns the dialog 'Gracias'. */
export async function vote(page: Page, game: string = GAME): Promise<Locator> {
  await voteButton(page, game).click();
  // A failure tells what the dialog says instead.
  await expect(page.getByRole('dialog')).toContainText('Gracias');
  return outcomeDialog(page, 'Gracias');
}

export async function closeDialog(page: Page) {
  await page.getByRole('button', { name: voteTexts.dialog.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

export async function shownVotes(page: Page, game: string): Promise<number> {
  const text = await votesCell(page, game).textContent();
  return Number(text?.replaceAll(/\D/g, ''));
}

/**
 * Moves the page's time on by `ms` again and again, until `look` succeeds. Each pass waits longer than the one before: on a busy
 * machine an answer takes longer, and has to arrive before the page's time passes its deadline.
 */
export async function passTime(
  page: Page,
  ms: number,
  look: (options: { timeout: number }) => Promise<void>,
) {
  let timeout = 0;
  await expect(async () => {
    timeout += 500;
    await page.clock.fastForward(ms);
    await look({ timeout });
  }).toPass();
}

/** Returns the text that the page shows for a number of votes below 1,000. */
export function votesText(count: number): string {
  return `${count} ${count === 1 ? 'voto' : 'votos'}`;
}
