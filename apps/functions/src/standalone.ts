import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import express from 'express';
import { createApp } from './app.ts';
import { systemClock as clock } from './clock.ts';
import { readConfig } from './config.ts';
import { createGroupCommit } from './group-commit.ts';
import { closeServer, openServer, portOf } from './http-server.ts';
import { createLiveHub } from './live-hub.ts';
import { createNominees } from './nominees.ts';
import { readNomineesFile } from './nominees-file.ts';
import { OperatorError } from './operator-error.ts';
import { createPage, securityHeaders } from './page.ts';
import { openSqliteStore } from './sqlite-store.ts';

// The standalone home: API, live results and page in one process, votes in a SQLite file.

const PROJECT = resolve(import.meta.dirname, '../../..');
const PAGE = join(PROJECT, 'apps/web/dist');

const MAX_GROUP = 1_000;
const MAX_WAITING = 10_000;
const DEADLINE_MS = 8_000;

try {
  await start();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function start() {
  const config = readConfig(process.env, PROJECT);
  // The port comes first: where it is taken, nothing is written.
  const server = await openServer(config.port, config.host);
  const store = openSqliteStore({
    path: config.databasePath,
    firstNominees: () => readNomineesFile(config.nomineesPath),
  });

  const log = console;
  const live = createLiveHub({ games: store.games, clock, log });
  const votes = createGroupCommit({
    async commit(ballots) {
      const outcomes = await store.commit(ballots);
      live.changed();
      return outcomes;
    },
    clock,
    log,
    maxGroup: MAX_GROUP,
    maxWaiting: MAX_WAITING,
    deadlineMs: DEADLINE_MS,
  });
  const nominees = createNominees({ games: store.games, clock, log });
  const { policy } = config;
  const checkStore = store.games;

  const home = express();
  home.disable('x-powered-by');
  home.use(securityHeaders);
  home.use('/api', createApp({ votes, nominees, policy, checkStore, live, clock, log }));
  if (existsSync(join(PAGE, 'index.html'))) home.use(createPage(PAGE, log));
  else log.warn('The page is not built, so only the API answers.');
  server.on('request', home);

  log.info(`GOTY is open at http://${config.host ?? 'localhost'}:${portOf(server)}`);
  log.info(`Votes are kept in ${config.databasePath}`);

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);

  let stopping = false;
  async function stop() {
    if (stopping) process.exit(1);
    stopping = true;
    live.close();
    await closeServer(server);
    await store.close();
    log.info('GOTY is closed. Every vote that was answered is kept.');
  }
}
