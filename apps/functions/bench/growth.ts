import { join } from 'node:path';
import { fillDatabase } from './database.ts';
import type { Context } from './figure.ts';
import { folder } from './processes/pinned.ts';
import { checkCounts, using, warmUp } from './processes/programs.ts';
import { interleave, ratioOf } from './rounds.ts';

/** Fewer than for the figures: what matters is the shape. */
const ROUNDS = 3;

interface Setting {
  readonly connections?: number;
  readonly games?: number;
  readonly ballots?: number;
  readonly viewers?: number;
}

export interface Growth {
  readonly name: keyof Setting;
  readonly title: string;
  /** Votes a second against Express's 'hello' with 64 connections. */
  readonly points: readonly { readonly at: number; readonly ratio: number }[];
}

const AXES: Record<keyof Setting, { readonly title: string; readonly at: readonly number[] }> = {
  connections: { title: 'connections', at: [1, 4, 16, 64, 256, 1_000] },
  games: { title: 'games', at: [8, 30, 100, 300, 1_000] },
  ballots: { title: 'ballots stored before', at: [0, 10_000, 100_000, 1_000_000, 10_000_000] },
  viewers: { title: 'viewers', at: [0, 100, 1_000, 5_000, 10_000] },
};

/** How votes a second change with one thing at a time. */
export async function measureGrowth(context: Context): Promise<Growth[]> {
  const growths: Growth[] = [];
  for (const name of ['connections', 'games', 'ballots', 'viewers'] as const) {
    const { title, at } = AXES[name];
    const points = [];
    for (const value of at) {
      points.push({ at: value, ratio: await votesWith(context, { [name]: value }) });
    }
    growths.push({ name, title, points });
  }
  return growths;
}

async function votesWith(context: Context, setting: Setting): Promise<number> {
  const { connections = 64, games = 8, ballots = 0, viewers = 0 } = setting;
  await using processes = using();
  const client = processes.client();
  const database = join(folder, `growth-${ballots}.sqlite`);
  if (ballots > 0) await fillDatabase(database, ballots);
  const ours = await processes.home({ ...context, games, ...(ballots > 0 ? { database } : {}) });
  const express = await processes.reference('express');
  for (const server of [ours, express]) await warmUp(client, server);
  if (viewers > 0) await processes.client().watch(ours, viewers);
  const pairs = await interleave(
    ROUNDS,
    () => client.send(ours, { connections, ms: context.ms }),
    () => client.send(express, { connections: 64, ms: context.ms }),
  );
  if (viewers === 0) await checkCounts(ours);
  return ratioOf(pairs, ({ perSecond }) => perSecond).median;
}
