import type { Game } from '@goty/shared/game';
import { type Nominee, toNominee } from '@goty/shared/nominee';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from './unavailable-error.ts';

const MAX_AGE_MS = 30_000;

export interface NomineesOptions {
  readonly games: () => Promise<readonly Game[]>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Nominees {
  /** Every nominee, ordered by id. Rejects, with UnavailableError, only while no list was ever read. */
  list(): Promise<readonly Nominee[]>;
  /**
   * The nominee of that id, or `undefined`. Reads the store only where an old list does not have it.
   * Rejects like `list`.
   */
  find(id: string): Promise<Nominee | undefined>;
}

/**
 * The nominee list, kept in memory so that an unknown id never reaches the store. A list older
 * than 30 s is still served, and read again behind the request that noticed.
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
      // It may be a new one: another instance, or a cache, knows it already.
      return (await reading.catch(() => known))?.get(id);
    },
  };

  async function current(): Promise<ReadonlyMap<string, Nominee>> {
    if (!known) return read();
    if (clock.elapsed() - readAt > MAX_AGE_MS) {
      read().catch((error) => log.warn('The nominee list could not be read again:', error));
    }
    return known;
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
