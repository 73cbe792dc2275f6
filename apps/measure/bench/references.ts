import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { systemClock as clock } from '@goty/functions/clock';
import { openServer, portOf } from '@goty/functions/http-server';
import { serve } from '@goty/functions/serve';
import { openSqliteStore } from '@goty/functions/sqlite-database';
import { createStandaloneHome } from '@goty/functions/standalone-home';
import type { Ballot, BallotOutcome } from '@goty/functions/vote-store';
import express from 'express';

// The servers to compare with: `node references.ts NAME`.

const server = process.argv[2] === 'express' ? openExpress() : await openCommitEach();
if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
console.log(`http://127.0.0.1:${portOf(server)}`);

/** What the machine, Node and Express cost, without a vote. */
function openExpress(): Server {
  return createServer(express().get('/', (_request, response) => void response.send('hello')));
}

/** The standalone home with a commit of its own for each vote, as most servers do it. */
async function openCommitEach(): Promise<Server> {
  const { DATABASE = '', NOMINEES = '' } = process.env;
  const store = openSqliteStore({
    path: DATABASE,
    firstNominees: () => JSON.parse(readFileSync(NOMINEES, 'utf8')),
  });
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
