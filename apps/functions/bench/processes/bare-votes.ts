import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { openSqliteStore } from '../../src/sqlite/database.ts';
import { addressOf } from '../../src/standalone/http-server.ts';
import type { Ballot } from '../../src/votes/vote-store.ts';

// The least that a durable vote costs on this machine: `node:http` and the store's own commit, with
// every vote that waits in it. No framework, no checks, no limits, no deadlines, no headers.

const { DATABASE = '', NOMINEES = '' } = process.env;
const store = openSqliteStore({
  path: DATABASE,
  firstNominees: () => JSON.parse(readFileSync(NOMINEES, 'utf8')),
});
const ANSWER = '{"ok":true}';
const HEADERS = ['Content-Type', 'application/json', 'Content-Length', String(ANSWER.length)];
let waiting: { ballot: Ballot; response: ServerResponse }[] = [];

const server = createServer((request, response) => {
  if (request.method === 'GET') return void sendStandings(response);
  const { url = '', headers } = request;
  const game = url.slice(url.lastIndexOf('/') + 1);
  const ballot = { id: String(headers['idempotency-key']), game, at: Date.now() };
  request.on('data', () => {});
  request.on('end', () => {
    if (waiting.push({ ballot, response }) === 1) setImmediate(commit);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`open at ${addressOf(server, '127.0.0.1')}`));

async function commit() {
  const group = waiting;
  waiting = [];
  await store.commit(group.map(({ ballot }) => ballot));
  for (const { response } of group) response.writeHead(200, HEADERS).end(ANSWER);
}

/** As an event stream, of which the measurement reads the first event. */
async function sendStandings(response: ServerResponse) {
  response.end(`data: ${JSON.stringify(await store.games())}\n\n`);
}
