import type { DocumentReference } from 'firebase-admin/firestore';
import { type Documents, incrementsOf, stateIn, votesIn } from './documents.ts';

/** What the commits of an instance rely on. It is true as long as its fence exists. */
export interface Fenced {
  /**
   * Every commit writes the fence, with the votes that the commit hides, and so fails once the fence is gone. No commit
   * of another instance touches it.
   */
  readonly fence: DocumentReference;
  readonly frozenAt: number | undefined;
  readonly voteId: string;
  /** The ids of all games. */
  readonly games: ReadonlySet<string>;
}

/**
 * Lets commits write without reading or locking what they depend on: a change of who may vote, or of what is hidden,
 * deletes every fence in its own transaction, and instances look again.
 */
export function createFences({ fences, games, settings, transact }: Documents) {
  let known: Promise<Fenced> | undefined;
  /** The fence that was made last, even if the state that it stands for could not be read then. */
  let fence: DocumentReference | undefined;

  return {
    latest: () => known ?? keep(look()),
    /** Looks again, unless another commit has done so since `outdated` was known. */
    async renew(outdated: Fenced | undefined): Promise<Fenced> {
      const before = known;
      const current = await before?.catch(() => undefined);
      if (known && known !== before) return known;
      if (current && outdated && current !== outdated) return current;
      return keep(look());
    },
    /** Removes the fence of this instance. */
    async close() {
      await known?.catch(() => {});
      known = undefined;
      await drop();
    },
  };

  /** After a failure, the next commit looks again. */
  function keep(next: Promise<Fenced>): Promise<Fenced> {
    known = next;
    next.catch(() => {
      if (known === next) known = undefined;
    });
    return next;
  }

  async function look(): Promise<Fenced> {
    await drop();
    // The fence comes before the reads: any change after these deletes it. Each fence has a name of its own, because a
    // commit that was given up may still be on its way.
    const made = fences.doc();
    fence = made;
    // The SDK sends a write again whose reply was lost, and the first one may arrive late: it must not fail, nor take
    // anything from what commits have hidden since.
    await made.set({}, { merge: true });
    const [state, list] = await Promise.all([settings.get(), games.select().get()]);
    const ids = new Set(list.docs.map(({ id }) => id));
    const { times, voteId } = stateIn(state);
    return { fence: made, frozenAt: times.frozenAt, voteId, games: ids };
  }

  /** Deletes the fence. What it has hidden stays hidden, in the settings. */
  async function drop() {
    const outdated = fence;
    if (!outdated) return;
    await transact(async (transaction) => {
      const hidden = votesIn([await transaction.get(outdated)], 'hidden');
      if (hidden.size > 0)
        transaction.set(settings, { hidden: incrementsOf(hidden) }, { merge: true });
      transaction.delete(outdated);
    });
    fence = undefined;
  }
}
