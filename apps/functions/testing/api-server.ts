import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { onTestFinished, vi } from 'vitest';
import type { HomeOptions } from '../src/http/context.ts';
import { openSqliteStore } from '../src/sqlite/database.ts';
import {
  createStandaloneHome,
  STANDALONE_LIMITS,
  type StandaloneOptions,
} from '../src/standalone/standalone-home.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';
import { patientClock } from './clock.ts';
import { testFolder } from './folder.ts';
import { serveApp } from './http.ts';
import { createTestLog } from './log.ts';

export const HADES = buildNominee({ id: 'hades-2', name: 'Hades II' });
/** Its id is also a path of the API. */
export const LIVE = buildNominee({ id: 'live' });

export interface ApiServerOptions
  extends Partial<Omit<StandaloneOptions, 'commits' | 'log' | 'store'>>,
    Pick<HomeOptions, 'cors' | 'voteOrigins'> {
  /** Wraps the SQLite store before the app gets it. */
  readonly wrap?: (store: VoteStore) => VoteStore;
  readonly maxWaiting?: number;
}

export const refusal = (mensaje: string) => ({ ok: false, mensaje });
/** The answer to a vote for `HADES` that counts. */
export const COUNTED = [200, { ok: true, mensaje: apiTexts.counted(HADES.name) }];

/** Serves the API on a real port, over a real SQLite file, for the running test. */
export async function startApiServer(options: ApiServerOptions = {}) {
  const { maxWaiting = 1_000, wrap, ...others } = options;
  const log = createTestLog();
  const sqlite = openSqliteStore({
    path: join(testFolder(), 'goty.sqlite'),
    firstNominees: () => [HADES, LIVE],
  });
  const store = { ...(wrap?.(sqlite) ?? sqlite) };
  const games = vi.spyOn(store, 'games');
  const commit = vi.spyOn(store, 'commit');
  const commits = { ...STANDALONE_LIMITS.commits, maxWaiting };
  const own = { policy: 'unlimited', clock: patientClock, store, log, commits } as const;
  const { app, view, close } = createStandaloneHome({ ...own, ...others });

  onTestFinished(() => sqlite.close());
  const served = await serveApp(app);
  onTestFinished(close);

  return {
    ...served,
    app,
    log,
    view,
    close,
    /** The store, past what the test wraps around it. */
    sqlite,
    /** The store as the app has it. */
    store,
    /** How many times the app has called the store. */
    calls: () => ({ games: games.mock.calls.length, commit: commit.mock.calls.length }),
    votos: async () =>
      Object.fromEntries((await sqlite.games()).map((game) => [game.id, game.votos])),
  };
}
