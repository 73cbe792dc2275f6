import { cloudWrites } from './cloud.ts';
import {
  spreadToViewers,
  votesAmongBallots,
  votesBesideViewers,
  votesOfManyGames,
} from './crowd-figures.ts';
import { syncsPerSecond } from './database.ts';
import { type Context, type Figure, paired, perSecond } from './figure.ts';
import { folder } from './processes/pinned.ts';
import { checkCounts, using, warmUp } from './processes/programs.ts';
import type { Server } from './processes/server.ts';
import { interleave } from './rounds.ts';

const FULL = 2;

/** Each measures some of the figures, with servers of its own. */
export const FIGURES: Record<string, (context: Context) => Promise<Figure[]>> = {
  votes: votesBesideHello,
  least: leastOfVotes,
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

/** How near the goals of P1 and P3 can be reached with a commit between request and answer. */
async function leastOfVotes(context: Context): Promise<Figure[]> {
  await using processes = using();
  const client = processes.client();
  const ours = await processes.home(context);
  const least = await processes.home({ ...context, instead: 'bare-votes' });
  const express = await processes.reference('express');
  for (const server of [ours, least, express]) await warmUp(client, server);
  const compare = (connections: number, one: Server, other: Server) => {
    const send = (server: Server) => () => client.send(server, { connections, ms: context.ms });
    return interleave(context.rounds, send(one), send(other));
  };
  const at64 = await compare(64, least, express);
  const at256 = await compare(256, least, express);
  const oursAt64 = await compare(64, ours, least);
  for (const server of [ours, least]) await checkCounts(server);
  const reference = 'Express hello';
  const what = '`node:http` and the commit alone, votes a second';
  return [
    paired(at64, perSecond, { id: 'P1', what: `${what}, 64 connections`, reference }),
    paired(at256, perSecond, { id: 'P1', what: `${what}, 256 connections`, reference }),
    paired(at64, ({ p99 }) => p99, {
      id: 'P3',
      what: '`node:http` and the commit alone, p99, 64 connections, ms',
      reference,
    }),
    paired(oursAt64, perSecond, {
      id: 'P1',
      what: 'durable votes a second, 64 connections',
      reference: '`node:http` and the commit alone',
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
