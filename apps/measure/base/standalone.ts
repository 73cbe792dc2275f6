import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Nominee } from '@goty/shared/nominee';
import { newFolder } from './folder.ts';
import { type Program, startProgram } from './program.ts';
import { ROOT } from './report.ts';

interface StandaloneOptions {
  /** Of the database and the nominees; by default a new one. */
  readonly folder?: string;
  /** By default those of this checkout. */
  readonly nominees?: readonly Nominee[];
  /** By default any free one. */
  readonly port?: number;
  /** Another server instead, which takes the same environment, with its arguments. */
  readonly instead?: readonly string[];
}

/** The database of a home in that folder. */
export function databaseIn(folder: string): string {
  return join(folder, 'goty.sqlite');
}

/** Starts the standalone home as `pnpm start` does. One address may send any number of votes, which are counted. */
export function startStandalone({
  folder = newFolder(),
  nominees,
  port = 0,
  instead = [join(ROOT, 'apps/functions/src/standalone.ts')],
}: StandaloneOptions = {}): Promise<Program> {
  const NOMINEES = join(folder, 'nominees.json');
  if (nominees && !existsSync(NOMINEES)) writeFileSync(NOMINEES, JSON.stringify(nominees));
  return startProgram(instead, {
    NODE_ENV: 'production',
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE: databaseIn(folder),
    VOTES_PER_MINUTE: '999999999',
    ...(nominees ? { NOMINEES } : {}),
  });
}

/** Nominees with names of usual length. */
export function nomineesOf(games: number): Nominee[] {
  return Array.from({ length: games }, (_, index) => {
    const id = `game-${String(index).padStart(4, '0')}`;
    const name = `A game with a name of usual length ${index}`;
    return { id, name, url: `https://covers.example/${id}.webp` };
  });
}
