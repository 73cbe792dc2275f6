import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { systemClock as clock } from '@goty/functions/clock';
import { openServer, portOf } from '@goty/functions/http-server';
import { serve } from '@goty/functions/serve';
import { openSqliteStore } from '@goty/functions/sqlite-database';
import { createStandaloneHome } from '@goty/functions/standalone-home';
import type { Ballot, BallotOutcome, VoteStore } from '@goty/functions/vote-store';
import express from 'express';

// The servers to compare with: `node servers.ts NAME`.

const ANSWER = '{"ok":true}';
const HEADERS = ['Content-Type', 'application/json', 'Content-Length', String(ANSWER.length)];

const SERVERS: Readonly<Record<string, () => Server | Promise<Server>>> = {
  http: openHttp,
  express: openExpress,
  'commit-each': openCommitEach,
  bare: openBare,
};

const server = await SERVERS[process.argv[2] ?? '']?.();
if (!server) throw new Error(`there is none of: ${Object.keys(SERVERS).join(', ')}`);
if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
console.log(`http://127.0.0.1:${portOf(server)}`);

/** What the machine and Node cost. The load is fast enough if this server is the limit. */
function openHttp(): Server {
  return createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 5 });
    response.end('hello');
  });
}

/** What Express costs, without a vote. */
function openExpress(): Server {
  return createServer(express().get('/', (_request, response) => void response.send('hello')));
}

/** The standalone home with a commit of its own for each vote, as most servers do it. */
async function openCommitEach(): Promise<Server> {
  const store = openStore();
  const commit = async (ballots: readonly Ballot[]) => {
    const outcomes: BallotOutcome[] = [];
    for (const ballot of ballots) outcomes.push(...(await store.commit([ballot])));
    return outcomes;
  };
  const { app } = createStandaloneHome({
    store: { ...store, commit },
    policy: 'unlimited',
    clock,
    log: console,
  });
  const server = await openServer(0, '127.0.0.1');
  serve(server, app);
  return server;
}

/**
 * The least that a durable vote costs on this machine: `node:http` and the store's own commit, with
 * every vote that waits in it. No framework, no checks, no limits, no deadlines, no headers.
 */
function openBare(): Server {
  const store = openStore();
  let waiting: { ballot: Ballot; response: ServerResponse }[] = [];
  const commit = async () => {
    const group = waiting;
    waiting = [];
    await store.commit(group.map(({ ballot }) => ballot));
    for (const { response } of group) response.writeHead(200, HEADERS).end(ANSWER);
  };
  return createServer((request, response) => {
    const { url = '', headers } = request;
    const game = url.slice(url.lastIndexOf('/') + 1);
    const ballot = { id: String(headers['idempotency-key']), game, at: Date.now() };
    request.resume();
    request.on('end', () => {
      if (waiting.push({ ballot, response }) === 1) setImmediate(commit);
    });
  });
}

function openStore(): VoteStore {
  const { DATABASE = '', NOMINEES = '' } = process.env;
  return openSqliteStore({
    path: DATABASE,
    firstNominees: () => JSON.parse(readFileSync(NOMINEES, 'utf8')),
  });
}
