import { type Row, rounded } from '../base/report.ts';
import { interleave, median, withSpread } from '../base/statistics.ts';
import { type LoadResult, SAMPLE_MS, sendLoad } from './load.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';

const UNITS = { perSecond: 'votes a second', p50: 'p50 of a vote, ms', p99: 'p99 of a vote, ms' };

const CONNECTIONS = 64;

/** One line of the table. */
export interface Figure {
  /** As docs/performance.md calls it. */
  readonly id: string;
  readonly what: string;
  /** What it is compared with. */
  readonly reference?: string;
  readonly goal?: Goal;
  /** Resolves with what each round measured. */
  readonly run: (rounds: number) => Promise<readonly Sample[]>;
}

/** Of the ratio or, without a reference, of the value. */
type Goal = readonly ['≥' | '≤', number];

/** What was measured and, right before or after it, that of the reference. */
export type Sample = readonly [value: number, reference?: number];

/** The figure as the table shows it: medians, and the extremes of the ratio. */
export function rowOf({ id, what, reference, goal }: Figure, samples: readonly Sample[]): Row {
  const value = median(samples.map(([measured]) => measured));
  const references = samples.flatMap(([, other]) => other ?? []);
  const ratios = samples.flatMap(([measured, other]) => (other ? measured / other : []));
  const reached = reference ? median(ratios) : value;
  return {
    goal: id,
    figure: what,
    value: rounded(value),
    reference: reference ? `${reference}: ${rounded(median(references))}` : '',
    ratio: reference ? withSpread(ratios) : '',
    wanted: goal?.join(' ') ?? '',
    met: goal ? (isMet(reached, goal) ? 'met' : 'not met') : '',
  };
}

function isMet(reached: number, [relation, limit]: Goal): boolean {
  return relation === '≥' ? reached >= limit : reached <= limit;
}

/** Two servers under the same load. */
interface Comparison {
  readonly id: string;
  readonly measured: ServerOptions;
  readonly beside: ServerOptions;
  readonly connections: number;
  readonly of: keyof LoadResult;
  readonly goal?: Goal;
}

/** Measures two servers in turn, and checks that each has counted what it acknowledged. */
export function comparison(options: Comparison): Figure {
  const { measured, beside, connections, of, ...figure } = options;
  const sample = async (server: Server) => (await sendLoad(server, connections, SAMPLE_MS))[of];
  return {
    ...figure,
    what: `${measured.name}: ${UNITS[of]}, ${connections} connections`,
    reference: beside.name,
    async run(rounds) {
      await using one = await startServer(measured);
      await using other = await startServer(beside);
      const pairs = await interleave(rounds, [one, other], sample);
      await one.checkCounts();
      await other.checkCounts();
      return pairs;
    },
  };
}

/** How much of its votes a second a server keeps under a burden, beside how much another one keeps. */
interface Keeping {
  readonly id: string;
  /** The servers without it. */
  readonly measured: ServerOptions;
  readonly beside: ServerOptions;
  readonly burden: Partial<ServerOptions> & Pick<ServerOptions, 'name'>;
  readonly goal: Goal;
}

/** Measures four servers in turn: both with the burden and without it. */
export function keeping({ id, measured, beside, burden, goal }: Keeping): Figure {
  const rate = async (server: Server) => (await sendLoad(server, CONNECTIONS, SAMPLE_MS)).perSecond;
  const share = async ([burdened, free]: readonly [Server, Server]) =>
    (await rate(burdened)) / (await rate(free));
  return {
    id,
    what: `${measured.name}: share of its votes a second that it keeps with ${burden.name}`,
    reference: beside.name,
    goal,
    async run(rounds) {
      await using burdened = await startServer({ ...measured, ...burden });
      await using free = await startServer(measured);
      await using burdenedOther = await startServer({ ...beside, ...burden });
      await using freeOther = await startServer(beside);
      const pairs = [
        [burdened, free],
        [burdenedOther, freeOther],
      ] as const;
      const samples = await interleave(rounds, pairs, share);
      for (const server of pairs.flat()) await server.checkCounts();
      return samples;
    },
  };
}
