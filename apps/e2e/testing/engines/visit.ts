import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runProgram, startProgram } from '@goty/functions/testing/program';
import { PUBLIC_ORIGIN } from '../home.ts';
import type { Driver } from './driver.ts';
import { type Line, openLine } from './line.ts';
import { createPage, type EnginePage } from './page.ts';

const FUNCTIONS = resolve(import.meta.dirname, '../../../functions');

/** A visit of the page in an engine. */
export interface Visit {
  readonly page: EnginePage;
  readonly line: Line;
  /** Votes for a game from outside the page. */
  vote(game: string): Promise<void>;
  /** The votes of a game, as the home tells them. */
  votos(game: string): Promise<number>;
  /** Runs an operator's command. */
  operate(...command: string[]): Promise<void>;
}

/**
 * Starts an engine, and a standalone home for it in which each game has one vote more than the game before it.
 */
export async function startVisits(launch: () => Promise<Driver>) {
  const launching = launch();
  const folder = mkdtempSync(join(tmpdir(), 'goty-engines-'));
  const environment = {
    PORT: '0',
    DATABASE: join(folder, 'goty.sqlite'),
    VOTES_PER_MINUTE: '0',
    PUBLIC_URL: PUBLIC_ORIGIN,
  };
  const home = await startProgram([join(FUNCTIONS, 'src/standalone.ts')], environment);
  const vote = async (game: string) => {
    const { status } = await fetch(`${home.address}/api/goty/${game}`, { method: 'POST' });
    if (status !== 200) throw new Error(`A vote was answered with ${status}.`);
  };
  const votos = async (game: string) => {
    const { standings } = await (await fetch(`${home.address}/api/standings`)).json();
    return standings.find(([id]: [string]) => id === game)[2];
  };
  const operate = async (...command: string[]) => {
    const { exit, stderr } = runProgram([join(FUNCTIONS, 'cli/goty.ts'), ...command], environment);
    const [code] = await exit;
    if (code !== 0) throw new Error(await stderr);
  };
  const nominees: { id: string }[] = await (await fetch(`${home.address}/api/goty`)).json();
  for (const [index, { id }] of nominees.entries()) {
    for (let votes = 0; votes <= index; votes += 1) await vote(id);
  }
  const driver = await launching;
  return {
    /** Makes a visit, for which nothing is in the cache and the storage: each has an origin of its own. */
    async visit(make: (visit: Visit) => Promise<void>) {
      const line = await openLine(home.address);
      // What the page before was loading when it was left.
      await driver.takeErrors();
      const page = createPage(driver, line.origin);
      await make({ page, line, vote, votos, operate });
      await page.leave();
      await line.close();
    },
    async end() {
      await driver.close();
      await home.stop();
      rmSync(folder, { force: true, recursive: true });
    },
  };
}
