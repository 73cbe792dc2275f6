import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { systemClock as clock } from '@goty/functions/clock';
import { portOf } from '@goty/functions/http-server';
import { openSqliteStore } from '@goty/functions/sqlite-database';
import { createStandaloneHome } from '@goty/functions/standalone-home';
import type { Ballot, BallotOutcome } from '@goty/functions/vote-store';
import express from 'express';
import { serveHere } from '../base/serve-here.ts';

// The servers to compare with: `node references.ts NAME`.

console.log(await (process.argv[2] === 'express' ? openExpress() : openCommitEach()));

/** What the machine, Node and Express cost, without a vote. */
async function openExpress(): Promise<string> {
  const app = express().get('/', (_request, response) => void response.send('hello'));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}

/** The standalone home with a commit of its own for each vote, as most servers do it. */
async function openCommitEach(): Promise<string> {
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
  const each = { ...store, commit };
  const home = createStandaloneHome({ store: each, policy: 'unlimited', clock, log: console });
  return (await serveHere(home.app)).address;
}
