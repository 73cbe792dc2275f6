import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloudWrites } from './cloud.ts';
import { fillDatabase, syncsPerSecond } from './database.ts';
import { type Context, type Figure, paired } from './figure.ts';
import type { LoadResult } from './processes/load.ts';
import { folder } from './processes/pinned.ts';
import { checkCounts, using, warmUp } from './processes/programs.ts';
import type { Server } from './processes/server.ts';
import { interleave, median, quantile } from './rounds.ts';

const FULL = 2;
const MANY_BALLOTS = 5_000_000;

const perSecond = (result: LoadResult) => result.perSecond;

/** Each measures some of the figures, with servers of its own. */
export const FIGURES: Record<string, (context: Context) => Promise<Figure[]>> = {
  votes: votesBesideHello,
  lone: loneVotes,
  syncs: syncsForVotes,
  viewers: spreadToViewers,
  watched: votesBesideViewers,
  games: votesOfManyGames,
  ballots: votesAmongBallots,
  cloud: cloudWrites,
};

async function votesBesideHello(context: Context): Promise<Figure[]> {
  await using processes = using();
  const client = processes.client();
  const ours = await processes.home(context);
  const express = await processes.reference('express');
  const http = await processes.reference('http');
  for (const server of [ours, express, http]) await warmUp(client, server);
  const compare = (connections: number, reference: Server) => {
    const send = (server: Server) => () => client.send(server, { connections, ms: context.ms });
    return interleave(context.rounds, send(ours), send(reference));
  };
  const at64 = await compare(64, express);
  const at256 = await compare(256, express);
  const bare = await compare(64, http);
  await checkCounts(ours);
  return [
    paired(at64, perSecond, {
      id: 'P1',
      what: 'durable votes a second, 64 connections',
      reference: 'Express hello',
      goal: { atLeast: 0.85 },
    }),
    paired(at256, perSecond, {
      id: 'P1',
      what: 'durable votes a second, 256 connections',
      reference: 'Express hello',
      goal: { atLeast: 0.85 },
    }),
    paired(bare, perSecond, {
      id: 'P1',
      what: 'durable votes a second, 64 connections',
      reference: 'node:http hello',
    }),
    paired(at64, ({ p99 }) => p99, {
      id: 'P3',
      what: 'p99 of a vote, 64 connections, ms',
      reference: 'Express hello',
      goal: { atMost: 1.3 },
    }),
  ];
}

async function loneVotes(context: Context): Promise<Figure[]> {
  await using processes = using();
  const client = processes.client();
  const ours = await processes.home(context);
  const each = await processes.home({ ...context, instead: 'commit-each' });
  for (const server of [ours, each]) await warmUp(client, server);
  const compare = (connections: number) => {
    const send = (server: Server) => () => client.send(server, { connections, ms: context.ms });
    return interleave(context.rounds, send(ours), send(each));
  };
  const lone = await compare(1);
  const many = await compare(64);
  for (const server of [ours, each]) await checkCounts(server);
  return [
    paired(lone, ({ p50 }) => p50, {
      id: 'P3',
      what: 'p50 of a lone vote, ms',
      reference: 'a commit for each request',
      goal: { atMost: 1 },
    }),
    paired(many, perSecond, {
      id: 'P1',
      what: 'durable votes a second, 64 connections',
      reference: 'a commit for each request',
    }),
  ];
}

async function syncsForVotes(context: Context): Promise<Figure[]> {
  await using processes = using();
  const client = processes.client();
  const ours = await processes.home(context);
  await warmUp(client, ours);
  const before = await ours.syncs();
  if (before.synchronous !== FULL) throw new Error(`synchronous is ${before.synchronous}`);
  const sent = ours.acknowledged;
  for (let round = 0; round < context.rounds; round += 1) {
    await client.send(ours, { connections: 64, ms: context.ms });
  }
  const after = await ours.syncs();
  await checkCounts(ours);
  const thousands = (ours.acknowledged - sent) / 1_000;
  return [
    {
      id: 'P2',
      what: 'syncs for 1,000 votes, 64 connections',
      value: (after.syncs - before.syncs) / thousands,
      reference: `PRAGMA synchronous: ${after.synchronous}`,
      goal: { atMost: 20 },
    },
    {
      id: 'P2',
      what: 'commits for 1,000 votes, 64 connections',
      value: (after.commits - before.commits) / thousands,
    },
    { id: 'P2', what: 'fdatasync a second of this disk', value: syncsPerSecond(folder) },
  ];
}

async function spreadToViewers(context: Context): Promise<Figure[]> {
  const p99: number[] = [];
  const memory: number[] = [];
  const viewers = 5_000;
  for (let round = 0; round < Math.ceil(context.rounds / 3); round += 1) {
    await using processes = using();
    const client = processes.client();
    const ours = await processes.home(context);
    await warmUp(client, ours);
    const before = residentBytes(ours);
    await client.watch(ours, viewers);
    await client.spread(ours, 30);
    const { spread, missed } = await client.spread(ours, 100);
    if (missed > 0) throw new Error(`${missed} votes did not reach every viewer`);
    p99.push(quantile(spread, 0.99));
    memory.push((residentBytes(ours) - before) / viewers / 1_000);
  }
  return [
    {
      id: 'P4',
      what: '5,000 viewers, 10 votes a second: p99 from sending a vote to the last viewer, ms',
      value: median(p99),
      goal: { atMost: 60 },
    },
    { id: 'P4', what: 'memory for each, kB', value: median(memory), goal: { atMost: 15 } },
  ];
}

async function votesBesideViewers(context: Context): Promise<Figure[]> {
  await using processes = using();
  const client = processes.client();
  const watching = processes.client();
  const alone = await processes.home(context);
  const watched = await processes.home(context);
  for (const server of [alone, watched]) await warmUp(client, server);
  await watching.watch(watched, 1_000);
  const send = (server: Server) => () => client.send(server, { connections: 64, ms: context.ms });
  const pairs = await interleave(context.rounds, send(watched), send(alone));
  for (const server of [alone, watched]) await checkCounts(server);
  return [
    paired(pairs, perSecond, {
      id: 'P5',
      what: 'votes a second with 1,000 viewers',
      reference: 'without viewers',
      goal: { atLeast: 0.9 },
    }),
  ];
}

async function votesOfManyGames(context: Context): Promise<Figure[]> {
  return compareHomes(
    context,
    { games: 1_000 },
    {
      id: 'P11',
      what: 'votes a second, 1,000 games',
      reference: '8 games',
      goal: { atLeast: 0.95 },
    },
  );
}

async function votesAmongBallots(context: Context): Promise<Figure[]> {
  const database = join(folder, 'ballots.sqlite');
  await fillDatabase(database, MANY_BALLOTS);
  return compareHomes(
    context,
    { database },
    {
      id: 'P11',
      what: 'votes a second among 5,000,000 ballots',
      reference: 'none',
      goal: { atLeast: 0.95 },
    },
  );
}

async function compareHomes(
  context: Context,
  difference: { readonly games?: number; readonly database?: string },
  figure: Parameters<typeof paired>[2],
): Promise<Figure[]> {
  await using processes = using();
  const client = processes.client();
  const one = await processes.home({ ...context, ...difference });
  const other = await processes.home(context);
  for (const server of [one, other]) await warmUp(client, server);
  const send = (server: Server) => () => client.send(server, { connections: 64, ms: context.ms });
  const pairs = await interleave(context.rounds, send(one), send(other));
  for (const server of [one, other]) await checkCounts(server);
  return [paired(pairs, perSecond, figure)];
}

function residentBytes({ pid }: Server): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
