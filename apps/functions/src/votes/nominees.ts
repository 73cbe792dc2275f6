import { type Nominee, toNominee } from '@goty/shared/nominee';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from './unavailable-error.ts';
import type { VoteStore, VoteTimes } from './vote-store.ts';

export interface NomineesOptions {
  readonly store: Pick<VoteStore, 'games' | 'revision' | 'times'>;
  /** The age at which what is known is checked before it is used, in milliseconds (SPEC N3). */
  readonly maxAgeMs: number;
  /** Minimum time between checks for ids that are not on the list, in milliseconds (SPEC N2). */
  readonly minIntervalMs: number;
  /** Called after another process has changed something in the store. */
  readonly changed: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Nominees {
  /** All nominees, ordered by id. Rejects with UnavailableError if the first read fails. */
  list(): Promise<readonly Nominee[]>;
  /** The nominee with that id, or `undefined` if there is none even now. Rejects like `list`. */
  find(id: string): Promise<Nominee | undefined>;
  /** When one can vote. Rejects with UnavailableError if that was never read. */
  times(): Promise<VoteTimes>;
  /** Asks the store whether anything has changed. Never rejects. */
  refresh(): Promise<void>;
  /** Rejects with UnavailableError if the store did not answer when it was last asked. */
  checkStore(): Promise<void>;
}

type List = ReadonlyMap<string, Nominee>;

/**
 * The nominee list, kept in memory. It is read again only if the store's revision has changed, and
 * that is asked when the list is old, or for an id that is not on it. If the store does not answer,
 * the old list stays in use.
 */
export function createNominees(options: NomineesOptions): Nominees {
  const { store, maxAgeMs, minIntervalMs, changed, clock, log } = options;
  let known: List | undefined;
  let times: VoteTimes | undefined;
  let revision: number | undefined;
  let failure: UnavailableError | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  const refresh = shared(ask);
  const readFirst = shared(async () => {
    known = await read();
  });
  const askAgain = shared(async () => {
    await new Promise<void>((resolve) => {
      const wait = askedAt + minIntervalMs - clock.elapsed();
      if (wait > 0) clock.after(wait, resolve);
      else resolve();
    });
    await refresh();
  });

  return {
    list: async () => [...(await current()).values()],
    async find(id) {
      const nominee = (await current()).get(id);
      if (nominee) return nominee;
      // It may be new: the page can have it from another instance.
      await askAgain();
      return known?.get(id);
    },
    async times() {
      await refreshOld();
      if (!times) await refresh();
      if (!times) throw failure ?? new UnavailableError();
      return times;
    },
    refresh,
    async checkStore() {
      await refreshOld();
      if (failure) throw failure;
    },
  };

  async function current(): Promise<List> {
    await refreshOld();
    if (!known) await readFirst();
    return known ?? new Map();
  }

  async function refreshOld() {
    if (clock.elapsed() - askedAt > maxAgeMs) await refresh();
  }

  async function ask() {
    try {
      const found = await store.revision();
      if (found !== revision) {
        const isFirst = revision === undefined;
        const newTimes = await store.times();
        if (known) known = await read();
        times = newTimes;
        revision = found;
        if (!isFirst) changed();
      }
      failure = undefined;
    } catch (error) {
      if (!failure) log.error('Failed to ask the store for changes:', error);
      failure = unavailable(error);
    }
    askedAt = clock.elapsed();
  }

  async function read(): Promise<List> {
    try {
      const games = await store.games();
      return new Map(games.map((game) => [game.id, toNominee(game.id, (field) => game[field])]));
    } catch (error) {
      throw unavailable(error);
    }
  }
}

/** A function whose calls share one run of `work` while it lasts. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

function unavailable(cause: unknown): UnavailableError {
  if (cause instanceof UnavailableError) return cause;
  return new UnavailableError(cause instanceof Error ? cause.message : '', { cause });
}
