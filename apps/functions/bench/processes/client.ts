import { once } from 'node:events';
import { join } from 'node:path';
import type { Load, LoadResult, Order } from './load.ts';
import { endPinned, LOAD_CORE, startPinned } from './pinned.ts';
import type { Server } from './server.ts';
import type { SpreadResult } from './viewers.ts';

const LOAD = join(import.meta.dirname, 'load.ts');

/** A process that sends requests; see load.ts. */
export interface Client {
  /** Resolves with the result. Rejects on any unexpected answer. */
  send(server: Server, load: Omit<Load, 'kind' | 'port' | 'games'>): Promise<LoadResult>;
  /** Opens event streams, once for each client. */
  watch(server: Server, viewers: number): Promise<void>;
  spread(server: Server, votes: number): Promise<SpreadResult>;
  stop(): Promise<void>;
}

export function startClient(): Client {
  const child = startPinned(LOAD_CORE, [LOAD], {});
  return {
    async send(server, load) {
      const result: LoadResult = await order({
        ...load,
        kind: 'load',
        port: server.port,
        games: server.games,
      });
      if (server.games.length > 0) server.acknowledged += result.answers;
      return result;
    },
    watch: ({ port }, viewers) => order({ kind: 'watch', port, viewers }),
    async spread(server, votes) {
      const [game = ''] = server.games;
      server.acknowledged += votes;
      return order({ kind: 'spread', port: server.port, game, votes });
    },
    stop: () => endPinned(child),
  };

  async function order<Result>(given: Order): Promise<Result> {
    const reply = once(child, 'message');
    child.send(given);
    const [{ result, error }] = await reply;
    if (error !== undefined) throw new Error(error);
    return result;
  }
}
