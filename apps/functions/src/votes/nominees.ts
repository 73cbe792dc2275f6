import { type Nominee, revisionOf, toNominee } from '@goty/shared/nominee';
import type { Clock } from '../runtime/clock.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { Log } from '../runtime/log.ts';
import { UnavailableError } from './unavailable-error.ts';
import type { VoteStore, VoteTimes } from './vote-store.ts';

export interface NomineesOptions {
  readonly store: Pick<VoteStore, 'games' | 'state'>;
  /** The age at which what is known is checked before it is used, in milliseconds (SPEC N3). */
  readonly maxAgeMs: number;
  /** The same for the status, by which pages learn of changes, in milliseconds (SPEC N5). */
  readonly statusMaxAgeMs: number;
  /** Minimum time between checks for ids that are not on the list, in milliseconds (SPEC N2). */
  readonly minIntervalMs: number;
  /** How long to ask for changes, in milliseconds. Without an answer, what is known stays in use. */
  readonly askDeadlineMs: number;
  /** How long to read the list, in milliseconds. A request may wait for both (SPEC G5). */
  readonly readDeadlineMs: number;
  /** Called after another process has changed something in the store. */
  readonly changed: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Nominees {
  /**
   * All nominees, ordered by id. Rejects with UnavailableError if the first read fails.
   *
   * @param revision of which a page has heard, perhaps from another instance: if the list has another
   *   one, the store is asked first
   */
  list(revision?: string): Promise<readonly Nominee[]>;
  /** The nominee with that id, or `undefined` if there is none even now. Rejects like `list`. */
  find(id: string): Promise<Nominee | undefined>;
  /** When one can vote. Rejects with UnavailableError if that was never read. */
  times(): Promise<VoteTimes>;
  /** The times, and the revision of the list. Rejects with UnavailableError if there is none. */
  status(): Promise<VoteTimes & { readonly revision: string }>;
  /** Asks the store whether anything has changed. Never rejects. */
  refresh(): Promise<void>;
  /** Rejects with UnavailableError if the store did not answer when it was last asked. */
  checkStore(): Promise<void>;
}

interface List {
  readonly nominees: readonly Nominee[];
  readonly byId: ReadonlyMap<string, Nominee>;
  readonly revision: string;
}

/**
 * The nominee list, kept in memory. It is read again only if the store's revision has changed, and
 * that is asked when the list is old, or for an id that is not on it. If the store does not answer,
 * the old list stays in use.
 */
export function createNominees(options: NomineesOptions): Nominees {
  const { store, maxAgeMs, statusMaxAgeMs, minIntervalMs, changed, clock, log } = options;
  const { askDeadlineMs, readDeadlineMs } = options;
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
    async list(expected) {
      const list = await current();
      if (expected === undefined || list.revision === expected) return list.nominees;
      await askAgain();
      return (known ?? list).nominees;
    },
    async find(id) {
      const nominee = (await current()).byId.get(id);
      if (nominee) return nominee;
      // It may be new: the page can have it from another instance.
      await askAgain();
      return known?.byId.get(id);
    },
    async times() {
      await refreshOld();
      return currentTimes();
    },
    async status() {
      await refreshOld(statusMaxAgeMs);
      // At once, so that they share a question to the store.
      const [{ revision }, times] = await Promise.all([current(), currentTimes()]);
      return { ...times, revision };
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
    return known ?? listOf([]);
  }

  async function currentTimes(): Promise<VoteTimes> {
    if (!times) await refresh();
    if (!times) throw failure ?? new UnavailableError();
    return times;
  }

  async function refreshOld(ageMs = maxAgeMs) {
    if (clock.elapsed() - askedAt > ageMs) await refresh();
  }

  async function ask() {
    try {
      const answer = await withDeadline(store.state(), askDeadlineMs, clock);
      if (answer.revision !== revision) {
        const isFirst = revision === undefined;
        if (known) known = await read();
        ({ times, revision } = answer);
        if (!isFirst) changed();
      }
      failure = undefined;
    } catch (error) {
      log.error('Failed to ask the store for changes:', error);
      failure = unavailable(error);
    }
    askedAt = clock.elapsed();
  }

  async function read(): Promise<List> {
    try {
      const games = await withDeadline(store.games(), readDeadlineMs, clock);
      return listOf(games.map((game) => toNominee(game.id, (field) => game[field])));
    } catch (error) {
      throw unavailable(error);
    }
  }
}

function listOf(nominees: readonly Nominee[]): List {
  const byId = new Map(nominees.map((nominee) => [nominee.id, nominee]));
  return { nominees, byId, revision: revisionOf(nominees) };
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
