import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { BallotOutcome } from '@goty/functions/ballot';
import { systemClock as clock } from '@goty/functions/clock';
import { portOf, serve } from '@goty/functions/server';
import { openSqliteStore } from '@goty/functions/sqlite-database';
import { createStandaloneHome } from '@goty/functions/standalone-home';
import type { Nominee } from '@goty/shared/nominee';
import express from 'express';

// The servers to compare with: `node references.ts NAME`, with the environment of ours.

const { DATABASE = '', NOMINEES = '' } = process.env;
const readNominees = (): Nominee[] => JSON.parse(readFileSync(NOMINEES, 'utf8'));

const server = createServer();
const name = process.argv[2];
if (name === 'express') server.on('request', hello());
else if (name === 'bare') server.on('request', openBare());
else serve(server, openCommitEach(), clock);
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${portOf(server)}`));

/** What the machine, Node and Express cost, without a vote. */
function hello(): RequestListener {
  return express().get('/', (_request, response) => void response.send('hello'));
}

/** The standalone home with a commit of its own for each vote, as most servers do it. */
function openCommitEach(): RequestListener {
  const store = openSqliteStore({ path: DATABASE, firstNominees: readNominees });
  const commit: typeof store.commit = async (ballots) => {
    const outcomes: BallotOutcome[] = [];
    for (const ballot of ballots) outcomes.push(...(await store.commit([ballot])));
    return outcomes;
  };
  const each = { ...store, commit };
  return createStandaloneHome({ store: each, policy: 'unlimited', clock, log: console }).app;
}

/**
 * The plainest server that keeps the promise of ours, and shares none of its code: a vote is answered once it is
 * on disk, all votes that wait go into one commit, and an id counts once. At most ten times a second, every open
 * stream gets the standings. It also takes a database of ours.
 */
function openBare(): RequestListener {
  const database = new DatabaseSync(DATABASE);
  database.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000;
    CREATE TABLE IF NOT EXISTS ballots (id TEXT PRIMARY KEY, game TEXT, at INTEGER) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS goty (id TEXT PRIMARY KEY, name TEXT, votos INTEGER) WITHOUT ROWID;`);
  const addGame = database.prepare('INSERT OR IGNORE INTO goty (id, name, votos) VALUES (?, ?, 0)');
  for (const { id, name } of readNominees()) addGame.run(id, name);
  const insert = database.prepare('INSERT OR IGNORE INTO ballots (id, game, at) VALUES (?, ?, ?)');
  const add = database.prepare('UPDATE goty SET votos = votos + ? WHERE id = ?');
  const select = database.prepare('SELECT id, name, votos FROM goty ORDER BY id');
  const standings = () => `data: ${JSON.stringify(select.all())}\n\n`;
  const streams = new Set<ServerResponse>();
  let isPublishing = false;
  let publishedAt = 0;
  const publish = () => {
    isPublishing = false;
    publishedAt = performance.now();
    const event = Buffer.from(standings());
    for (const stream of streams) stream.write(event);
  };
  let waiting: { readonly key: string; readonly game: string; readonly done: () => void }[] = [];
  const commit = () => {
    const group = waiting;
    waiting = [];
    const votes = new Map<string, number>();
    database.exec('BEGIN IMMEDIATE');
    for (const { key, game } of group) {
      if (insert.run(key, game, Date.now()).changes === 0) continue;
      votes.set(game, (votes.get(game) ?? 0) + 1);
    }
    for (const [game, number] of votes) add.run(number, game);
    database.exec('COMMIT');
    for (const { done } of group) done();
    if (streams.size > 0 && !isPublishing) {
      isPublishing = true;
      setTimeout(publish, publishedAt + 100 - performance.now());
    }
  };
  return (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(standings());
      streams.add(response.on('close', () => streams.delete(response)));
      return;
    }
    const game = request.url?.split('/').at(-1) ?? '';
    const key = String(request.headers['idempotency-key']);
    request.resume().on('end', () => {
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({ key, game, done: () => response.end('{"ok":true}') });
    });
  };
}
