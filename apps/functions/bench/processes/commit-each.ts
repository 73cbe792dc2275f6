import { readFileSync } from 'node:fs';
import { systemClock as clock } from '../../src/runtime/clock.ts';
import { openSqliteStore } from '../../src/sqlite/database.ts';
import { createStandaloneHome } from '../../src/standalone/home.ts';
import { addressOf, openServer } from '../../src/standalone/http-server.ts';
import { serve } from '../../src/standalone/serve.ts';
import type { Ballot, BallotOutcome } from '../../src/votes/vote-store.ts';

// The standalone home with a commit of its own for each vote, as most servers do it.

const { DATABASE = '', NOMINEES = '' } = process.env;
const store = openSqliteStore({
  path: DATABASE,
  firstNominees: () => JSON.parse(readFileSync(NOMINEES, 'utf8')),
});
const { app } = createStandaloneHome({
  store: { ...store, commit: commitEach },
  policy: 'unlimited',
  clock,
  log: console,
});
const server = await openServer(0, '127.0.0.1');
serve(server, app);
console.log(`open at ${addressOf(server, '127.0.0.1')}`);

async function commitEach(ballots: readonly Ballot[]): Promise<BallotOutcome[]> {
  const outcomes: BallotOutcome[] = [];
  for (const ballot of ballots) outcomes.push(...(await store.commit([ballot])));
  return outcomes;
}
