import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillDatabase } from './database.ts';
import { type Context, type Figure, paired, perSecond } from './figure.ts';
import { folder } from './processes/pinned.ts';
import { checkCounts, using, warmUp } from './processes/programs.ts';
import type { Server } from './processes/server.ts';
import { interleave, median, quantile } from './rounds.ts';

// What many viewers, games and ballots cost.

const MANY_BALLOTS = 5_000_000;

export async function spreadToViewers(context: Context): Promise<Figure[]> {
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

export async function votesBesideViewers(context: Context): Promise<Figure[]> {
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

export async function votesOfManyGames(context: Context): Promise<Figure[]> {
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

export async function votesAmongBallots(context: Context): Promise<Figure[]> {
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
