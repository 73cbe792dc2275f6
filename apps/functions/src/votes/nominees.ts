import type { Game } from '@goty/shared/game';
import { type Nominee, toNominee } from '@goty/shared/nominee';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from './unavailable-error.ts';

/** The age at which the list is stale (SPEC N3). */
const MAX_AGE_MS = 30_000;

export interface NomineesOptions {
  readonly games: () => Promise<readonly Game[]>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Nominees {
  /** All nominees, ordered by id. Rejects with UnavailableError if the first read fails. */
  list(): Promise<readonly Nominee[]>;
  /**
   * The nominee with that id, or `undefined`. Waits for the store only if the list was never read,
   * or if it is stale and the id is not on it. Rejects like `list`.
   */
  find(id: string): Promise<Nominee | undefined>;
}

/**
 * The nominee list, kept in memory so that an unknown id costs no read of its own. A list older
 * than 30 s is still served while it is refreshed in the background.
 */
export function createNominees({ games, clock, log }: NomineesOptions): Nominees {
  let known: ReadonlyMap<string, Nominee> | undefined;
  let readAt = 0;
  let reading: Promise<ReadonlyMap<string, Nominee>> | undefined;

  return {
    list: async () => [...(await current()).values()],
    async find(id) {
      const nominee = (await current()).get(id);
      if (nominee || !reading) return nominee;
      // It may be new: the page can have it from another instance.
      return (await reading.catch(() => known))?.get(id);
    },
  };

  async function current(): Promise<ReadonlyMap<string, Nominee>> {
    if (!known) return read();
    if (clock.elapsed() - readAt > MAX_AGE_MS) refresh();
    return known;
  }

  function refresh() {
    if (reading) return;
    read().catch((error) => {
      // The old list counts as new: a store that is down is not read for every request.
      readAt = clock.elapsed();
      log.warn('Failed to refresh the nominee list:', error);
    });
  }

  function read(): Promise<ReadonlyMap<string, Nominee>> {
    reading ??= games()
      .then((all) => {
        known = new Map(all.map((game) => [game.id, toNominee(game.id, (field) => game[field])]));
        readAt = clock.elapsed();
        return known;
      })
      .catch((cause) => {
        throw new UnavailableError(cause instanceof Error ? cause.message : '', { cause });
      })
      .finally(() => {
        reading = undefined;
      });
    return reading;
  }
}
