import { isLoopback } from '@goty/shared/protocol';
import { DeskFullError, makeDeskLink } from './acts/desk-keys.ts';
import { POLICIES } from './http/vote-policies.ts';
import { type Config, readConfig, unknownVariables } from './operator/config.ts';
import { faultsOfCovers } from './operator/covers.ts';
import { loadVariables } from './operator/env-file.ts';
import { readNomineesFile } from './operator/nominees-file.ts';
import { systemClock as clock } from './runtime/clock.ts';
import { createLog, type Log } from './runtime/log.ts';
import { OperatorError, printable } from './runtime/operator-error.ts';
import { PAGE_FOLDER, PROJECT_ROOT } from './runtime/project-root.ts';
import { openSqliteStore } from './sqlite/database.ts';
import { hasLog } from './sqlite/files.ts';
import { adviceOnPublicUrl, createPublicOrigin } from './standalone/origin.ts';
import { isBuilt, type PageOptions } from './standalone/page.ts';
import { addressOf, isEverywhere, openServer, portOf, serve } from './standalone/server.ts';
import { createStandaloneHome, STANDALONE_LIMITS } from './standalone/standalone-home.ts';
import type { VoteStore } from './votes/vote-store.ts';

// The standalone home: API, live results and page in one process, votes in a SQLite file.

export const running = await startStandalone().catch((error: unknown) => {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exit(1);
});

async function startStandalone() {
  const notes = loadVariables(PROJECT_ROOT);
  const config = readConfig(process.env, PROJECT_ROOT);
  // The port is opened first, so that nothing is written if it is in use.
  const server = await openServer(config.port, config.host);
  const log = createLog(clock);
  for (const line of [...notes, ...unknownVariables(process.env)]) log.warn(line);
  const isReachable = isEverywhere(config.host) || config.host === '127.0.0.1';
  const port = isReachable ? portOf(server) : 0;
  const { store, areNomineesNew } = openStore(config, port, log);
  const { policy, publicUrl, trustedProxies, votesPerMinute } = config;
  const streams = { ...STANDALONE_LIMITS.streams, perAddress: config.streamsPerAddress };
  const limits = { trustedProxies, votesPerMinute, streams };
  const page = findPage(config, portOf(server), log);
  const parts = { store, policy, publicUrl, clock, log, page };
  const { app, close } = createStandaloneHome({ ...parts, ...limits });
  const closeServer = serve(server, app, clock);

  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= closeAll();
    return stopping;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => (stopping ? process.exit(1) : stop()));
  }
  const address = addressOf(server, config.host);
  log.info(`GOTY runs at ${address}`);
  log.info(`Votes are stored in ${config.databasePath}`);
  // A rehearsal takes no PUBLIC_URL, so the advice to set one would be useless.
  if (publicUrl === undefined && !page?.isRehearsal)
    log.warn(adviceOnPublicUrl(config.host, portOf(server)));
  if (areNomineesNew) log.info(`Nominees were loaded from ${config.nomineesPath}`);
  else log.info('Nominees come from the database; the nominees file is only for an empty one');
  await printDeskLink(store, publicUrl?.startsWith('https:') ? publicUrl : address);
  for (const line of faultsOfCovers(config.coversFolder, await store.games())) log.warn(line);
  const { needsCode } = POLICIES[policy];
  if (needsCode && !page?.isRehearsal && (await store.state()).codeKey === undefined)
    log.warn('There are no codes, so nobody can vote yet: see `goty codes`.');
  return { address, needsCode, store, stop };

  async function closeAll() {
    close();
    await closeServer();
    await closeStore(store, config.databasePath, log);
  }
}

function openStore(config: Config, port: number, log: Log) {
  const { databasePath: path, nomineesPath, coversFolder } = config;
  let areNomineesNew = false;
  const store = openSqliteStore({
    path,
    port,
    note: log.info,
    firstNominees() {
      areNomineesNew = true;
      const file = readNomineesFile(nomineesPath, coversFolder);
      const doubts = file.doubtful.map((name) => `Is this name right? ${name}`);
      for (const line of [...file.notes, ...doubts]) log.warn(printable(line));
      return file.nominees;
    },
  });
  return { store, areNomineesNew };
}

/** Prints a link to the desk that works once. Only a terminal gets the link: a log has readers who are no operators. */
async function printDeskLink(store: VoteStore, origin: string) {
  const isSafe = origin.startsWith('https:') || isLoopback(new URL(origin).hostname);
  if (!process.stdout.isTTY || !isSafe) return;
  try {
    console.info('Run it once from', await makeDeskLink(store, origin));
  } catch (error) {
    // A full desk is no reason not to start, so only this line is printed.
    if (!(error instanceof DeskFullError)) throw error;
    console.info(error.message);
  }
}

async function closeStore(store: VoteStore, path: string, log: Log) {
  try {
    await store.close();
    log.info('GOTY is closed. Every acknowledged vote is stored.');
    if (hasLog(path)) {
      log.warn(
        'The newest votes are still in its -wal file, since another program has the database open or the disk is full: keep both files together.',
      );
    }
  } catch (error) {
    log.error('GOTY is closed, but its votes are not where they were:', error);
    process.exit(1);
  }
}

function findPage(config: Config, port: number, log: Log): PageOptions | undefined {
  const { coversFolder, embedOrigins, eventName, eventColor, publicUrl, host } = config;
  const publicOrigin = createPublicOrigin(publicUrl, host, port);
  // Only `demo` gives this argument. An environment variable could be left over, and mark a real vote as a rehearsal.
  const isRehearsal = process.argv.includes('--rehearsal');
  const page = { coversFolder, embedOrigins, eventName, eventColor, publicOrigin, isRehearsal };
  if (isBuilt(PAGE_FOLDER)) return { folder: PAGE_FOLDER, ...page };
  log.warn('The page has not been built: only the API is served.');
  return undefined;
}
