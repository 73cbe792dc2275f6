import type { DocumentReference } from 'firebase-admin/firestore';
import { type Documents, incrementsOf, stateIn, votesIn } from './documents.ts';

/** By what the commits of an instance go. It is true as long as its fence exists. */
export interface Fenced {
  /** Every commit writes it, with the votes that it hides, and so fails once it is gone. No other instance touches it. */
  readonly fence: DocumentReference;
  readonly frozenAt: number | undefined;
  /** The ids of all games. */
  readonly games: ReadonlySet<string>;
}

/**
 * Lets commits write without reading or locking what they depend on: a change of who may vote, or of what is hidden,
 * deletes every fence in its own transaction, and instances look again.
 */
export function createFences({ fences, games, settings, transact }: Documents) {
  let known: Promise<Fenced> | undefined;

  return {
    latest: () => known ?? keep(look()),
    /** Looks again, unless another commit has done so since `outdated` was known. */
    async renew(outdated: Fenced | undefined): Promise<Fenced> {
      const current = await known?.catch(() => undefined);
      if (current && outdated && current !== outdated) return current;
      return keep(look(current?.fence));
    },
    /** Removes the fence of this instance. */
    async close() {
      const { fence } = (await known?.catch(() => undefined)) ?? {};
      known = undefined;
      if (fence) await drop(fence);
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

  async function look(outdated?: DocumentReference): Promise<Fenced> {
    // First the fence: what changes after these reads deletes it. Each fence has a name of its own, because a commit
    // that was given up may still be on its way.
    const fence = fences.doc();
    if (outdated) await drop(outdated);
    // Not `create`: the SDK sends a write again whose reply was lost.
    await fence.set({});
    const [state, list] = await Promise.all([settings.get(), games.select().get()]);
    const ids = new Set(list.docs.map(({ id }) => id));
    return { fence, frozenAt: stateIn(state).times.frozenAt, games: ids };
  }

  /** What it has hidden stays hidden. */
  function drop(fence: DocumentReference): Promise<void> {
    return transact(async (transaction) => {
      const hidden = votesIn([await transaction.get(fence)], 'hidden');
      if (hidden.size > 0)
        transaction.set(settings, { hidden: incrementsOf(hidden) }, { merge: true });
      transaction.delete(fence);
    });
  }
}
