import { interleave } from '../base/statistics.ts';
import type { Figure, Goal } from './figure.ts';
import { type LoadResult, SAMPLE_MS, sendLoad } from './load.ts';
import { type Server, type ServerOptions, startServer } from './server.ts';

const UNITS = { perSecond: 'votes a second', p50: 'p50 of a vote, ms', p99: 'p99 of a vote, ms' };

/** Two servers under the same load. */
export interface Comparison {
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
      const pairs = await interleave(
        rounds,
        () => sample(one),
        () => sample(other),
      );
      await one.checkCounts();
      await other.checkCounts();
      return pairs;
    },
  };
}
