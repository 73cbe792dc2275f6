import { votesInCloud } from './cloud-votes.ts';
import { comparison, type Figure, keeping } from './figure.ts';
import type { ServerOptions } from './server.ts';
import { functionLoad } from './start-up.ts';
import { syncsForVotes } from './syncs.ts';
import { memoryOfViewers, spreadToViewers } from './viewer-figures.ts';

const GOTY: ServerOptions = { name: 'GOTY' };
const EXPRESS: ServerOptions = { name: 'Express hello', instead: 'express' };
const BARE: ServerOptions = { name: 'a bare server', instead: 'bare' };
const EACH: ServerOptions = { name: 'a commit for each request', instead: 'commit-each' };
const MANY_GAMES: ServerOptions = { name: '1,000 games', games: 1_000 };

const M1 = { id: 'M1', of: 'perSecond', goal: ['≥', 0.8] } as const;
const M3 = { id: 'M3', of: 'p99', goal: ['≤', 1.5] } as const;
const KEPT = { measured: GOTY, beside: BARE, goal: ['≥', 0.97] } as const;
const M6 = { id: 'M6', goal: ['≤', 11] } as const;
const M11 = { id: 'M11', of: 'perSecond', goal: ['≥', 0.95] } as const;
const LONE = { id: 'M3', of: 'p50', goal: ['≤', 1] } as const;

/** What docs/performance.md tells. */
export const FIGURES: readonly Figure[] = [
  comparison({ ...M1, measured: GOTY, beside: BARE, connections: 64 }),
  comparison({ ...M1, measured: GOTY, beside: BARE, connections: 256 }),
  comparison({ id: 'M1', of: 'perSecond', measured: GOTY, beside: EXPRESS, connections: 64 }),
  {
    id: 'M2',
    what: 'syncs for 1,000 votes, 64 connections',
    goal: ['≤', 20],
    run: syncsForVotes,
  },
  comparison({ ...M3, measured: GOTY, beside: BARE, connections: 64 }),
  comparison({ ...LONE, measured: GOTY, beside: EACH, connections: 1 }),
  {
    id: 'M4',
    what: '5,000 viewers, 10 votes a second: p99 from sending a vote to the last viewer, ms',
    reference: BARE.name,
    goal: ['≤', 0.9],
    run: spreadToViewers,
  },
  {
    id: 'M4',
    what: 'memory for each viewer, kB',
    reference: BARE.name,
    goal: ['≤', 1.1],
    run: memoryOfViewers,
  },
  keeping({ ...KEPT, id: 'M5', burden: { name: '1,000 viewers', viewers: 1_000 } }),
  { ...M6, what: '1,000 votes at once for 10 games: writes of sums', run: votesInCloud('writes') },
  {
    ...M6,
    what: '1,000 votes at once for 10 games: updates of a viewer',
    run: votesInCloud('updates'),
  },
  {
    id: 'M9',
    what: 'loading the Function, ms',
    reference: 'an empty one',
    goal: ['≤', 1.15],
    run: functionLoad,
  },
  comparison({ ...M11, measured: MANY_GAMES, beside: GOTY, connections: 64 }),
  keeping({ ...KEPT, id: 'M11', burden: { name: '5,000,000 ballots before', ballots: 5_000_000 } }),
];
