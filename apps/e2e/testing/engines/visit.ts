import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { runProgram } from '@goty/functions/testing/program';
import type { Standing } from '@goty/shared/game';
import { expect } from '@playwright/test';
import { startStandalone } from '../home.ts';
import type { Driver } from './driver.ts';
import { openLine } from './line.ts';
import { createPage } from './page.ts';

const GOTY = resolve(import.meta.dirname, '../../../functions/cli/goty.ts');

type Standalone = Awaited<ReturnType<typeof startStandalone>>;

/** The variables of a home. */
export type VisitSettings = Parameters<typeof startStandalone>[0];

/**
 * Starts a standalone home for visits, in which each game has one vote more than the game before it; none has any if votes need a
 * code.
 */
export async function startVisits(launching: Promise<Driver>, settings?: VisitSettings) {
  const home = await startStandalone(settings);
  const { needsCode, standings } = await (await fetch(`${home.address}/api/standings`)).json();
  if (!needsCode) {
    for (const [index, { id }] of standings.entries()) {
      for (let votes = 0; votes <= index; votes += 1) await voteFrom(home.address, id);
    }
    // The server answers with its last reading, which may be from before the votes.
    const last = standings.at(-1).id;
    await expect.poll(() => votesOf(home.address, last)).toBe(standings.length);
  }
  const driver = await launching;
  return {
    visit: () => openVisit(driver, home),
    end: () => home.stop(),
  };
}

export type Visit = Awaited<ReturnType<typeof openVisit>>;

/** Opens a visit, for which nothing is in the cache and the storage: each has an origin of its own. */
async function openVisit(driver: Driver, { address, environment }: Standalone) {
  const line = await openLine(address);
  // What the page before was loading when it was left.
  await driver.takeErrors();
  const page = createPage(driver, line.origin);
  return {
    page,
    line,
    environment,
    vote: (game: string) => voteFrom(address, game),
    votos: (game: string) => votesOf(address, game),
    /** Runs a command. Resolves with what it prints. */
    async operate(...command: string[]): Promise<string> {
      const { exit, stderr, stdout } = runProgram([GOTY, ...command], environment);
      const [said, [code]] = await Promise.all([text(stdout), exit]);
      if (code !== 0) throw new Error(await stderr);
      return said;
    },
    async [Symbol.asyncDispose]() {
      await page.leave();
      await line.close();
    },
  };
}

async function votesOf(address: string, game: string): Promise<number> {
  const { standings } = await (await fetch(`${address}/api/standings`)).json();
  return standings.find(({ id }: Standing) => id === game).votos;
}

async function voteFrom(address: string, game: string) {
  const { status } = await fetch(`${address}/api/goty/${game}`, { method: 'POST' });
  if (status !== 200) throw new Error(`A vote was answered with ${status}.`);
}
