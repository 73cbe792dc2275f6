import { type Comparison, compare, type Effort, type Figure, type Goal, paired } from './figure.ts';
import type { LoadResult } from './load.ts';
import type { ServerOptions } from './server.ts';

const GOTY: ServerOptions = { name: 'GOTY' };
const EXPRESS: ServerOptions = { name: 'Express hello', instead: 'express' };
const HTTP: ServerOptions = { name: '`node:http` hello', instead: 'http' };
/** How near the goals can be reached with a commit between request and answer. */
const LEAST: ServerOptions = { name: '`node:http` and the commit alone', instead: 'bare' };
const EACH: ServerOptions = { name: 'a commit for each request', instead: 'commit-each' };
const WATCHED: ServerOptions = { name: '1,000 viewers', viewers: 1_000 };
const MANY_GAMES: ServerOptions = { name: '1,000 games', games: 1_000 };
const MANY_BALLOTS: ServerOptions = { name: '5,000,000 ballots before', ballots: 5_000_000 };

const UNITS = { perSecond: 'votes a second', p50: 'p50 of a vote, ms', p99: 'p99 of a vote, ms' };

interface Compared extends Comparison {
  readonly figures: { readonly [Of in keyof LoadResult]?: readonly [id: string, goal?: Goal] };
}

const M1 = { perSecond: ['M1', { atLeast: 0.85 }] } as const;
const M3 = { p99: ['M3', { atMost: 1.3 }] } as const;
const M5 = { perSecond: ['M5', { atLeast: 0.9 }] } as const;
const M11 = { perSecond: ['M11', { atLeast: 0.95 }] } as const;
const LONE = { p50: ['M3', { atMost: 1 }] } as const;
/** To explain the others: without a goal. */
const FAST = { perSecond: ['M1'] } as const;

const COMPARISONS: Readonly<Record<string, readonly Compared[]>> = {
  votes: [
    { measured: GOTY, reference: EXPRESS, connections: 64, figures: { ...M1, ...M3 } },
    { measured: GOTY, reference: EXPRESS, connections: 256, figures: M1 },
    { measured: GOTY, reference: HTTP, connections: 64, figures: FAST },
  ],
  least: [
    { measured: LEAST, reference: EXPRESS, connections: 64, figures: { ...FAST, p99: ['M3'] } },
    { measured: LEAST, reference: EXPRESS, connections: 256, figures: FAST },
    { measured: GOTY, reference: LEAST, connections: 64, figures: { ...FAST, p99: ['M3'] } },
  ],
  lone: [
    { measured: GOTY, reference: EACH, connections: 1, figures: LONE },
    { measured: GOTY, reference: EACH, connections: 64, figures: FAST },
  ],
  watched: [{ measured: WATCHED, reference: GOTY, connections: 64, figures: M5 }],
  games: [{ measured: MANY_GAMES, reference: GOTY, connections: 64, figures: M11 }],
  ballots: [{ measured: MANY_BALLOTS, reference: GOTY, connections: 64, figures: M11 }],
};

/** What is measured beside a reference, by its name for `--only`. */
export const COMPARED = Object.fromEntries(
  Object.entries(COMPARISONS).map(([name, comparisons]) => [
    name,
    async (effort: Effort) => {
      const figures: Figure[] = [];
      for (const compared of comparisons) figures.push(...(await figuresOf(compared, effort)));
      return figures;
    },
  ]),
);

async function figuresOf(compared: Compared, effort: Effort): Promise<Figure[]> {
  const { measured, reference, connections, figures } = compared;
  const pairs = await compare(compared, effort);
  return (['perSecond', 'p50', 'p99'] as const).flatMap((of) => {
    const [id, goal] = figures[of] ?? [];
    if (id === undefined) return [];
    const what = `${measured.name}: ${UNITS[of]}, ${connections} connections`;
    return [paired(pairs, of, { id, what, goal, reference: reference.name })];
  });
}
