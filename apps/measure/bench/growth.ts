import { median } from '../base/statistics.ts';
import { compare, type Effort } from './figure.ts';
import type { ServerOptions } from './server.ts';

/** Fewer than for the figures: what matters is the shape. */
const ROUNDS = 3;
const CONNECTIONS = 64;

const AXES = {
  connections: [1, 4, 16, 64, 256, 1_000],
  games: [8, 30, 100, 300, 1_000],
  'ballots stored before': [0, 10_000, 100_000, 1_000_000, 10_000_000],
  viewers: [0, 100, 1_000, 5_000, 10_000],
} as const;

/** How votes a second change with one thing at a time, as charts that GitHub draws from Markdown. */
export async function measureGrowth(effort: Effort): Promise<string> {
  const charts: string[] = [];
  for (const axis of ['connections', 'games', 'ballots stored before', 'viewers'] as const) {
    const ratios: number[] = [];
    for (const at of AXES[axis]) ratios.push(await ratioAt(axis, at, effort));
    charts.push(chart(axis, AXES[axis], ratios));
  }
  return charts.join('\n\n');
}

/** Votes a second against Express's 'hello' with 64 connections. */
async function ratioAt(axis: keyof typeof AXES, at: number, effort: Effort): Promise<number> {
  const measured: ServerOptions = {
    name: `GOTY, ${at} ${axis}`,
    ...(axis === 'games' ? { games: at } : {}),
    ...(axis === 'ballots stored before' ? { ballots: at } : {}),
    ...(axis === 'viewers' ? { viewers: at } : {}),
  };
  const pairs = await compare(
    {
      measured,
      reference: { name: 'Express hello', instead: 'express' },
      connections: axis === 'connections' ? at : CONNECTIONS,
      ofReference: CONNECTIONS,
    },
    { ...effort, rounds: ROUNDS },
  );
  return median(pairs.map(([ours, hello]) => ours.perSecond / hello.perSecond));
}

// https://mermaid.js.org/syntax/xyChart.html
function chart(axis: string, at: readonly number[], ratios: readonly number[]): string {
  return [
    '```mermaid',
    'xychart-beta',
    `  title "Votes a second by ${axis}"`,
    `  x-axis "${axis}" [${at.map((value) => `"${value.toLocaleString('en')}"`).join(', ')}]`,
    `  y-axis "against Express's 'hello'" 0 --> ${Math.max(0.5, ...ratios).toFixed(1)}`,
    `  line [${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}]`,
    '```',
  ].join('\n');
}
