import type { DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore';
import { type Documents, stateIn } from './documents.ts';

/** By what the commits of an instance go. It is true as long as its fence exists. */
export interface Fenced {
  /** Every commit writes it, and so fails once it is gone. No other instance touches it. */
  readonly fence: DocumentReference;
  readonly frozenAt: number | undefined;
  /** The ids of all games. */
  readonly games: ReadonlySet<string>;
}

/**
 * Lets commits write without reading or locking what they depend on: a change of who may vote, or of what is hidden,
 * deletes every fence in its own transaction, and instances look again.
 */
export function createFences(firestore: Firestore, { fences, games, settings }: Documents) {
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
      await fence?.delete();
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
    const batch = firestore.batch();
    if (outdated) batch.delete(outdated);
    // Not `create`: the SDK sends a write again whose reply was lost.
    batch.set(fence, {});
    await batch.commit();
    const [state, list] = await Promise.all([settings.get(), games.select().get()]);
    const ids = new Set(list.docs.map(({ id }) => id));
    return { fence, frozenAt: stateIn(state).times.frozenAt, games: ids };
  }
}

/**
 * Reads every fence, which lets no commit of another instance end before the transaction does. With `entries`, also
 * reads the outbox: sums that are set from the ballots have its votes.
 *
 * @returns what deletes all that was read
 */
export async function readFences(
  transaction: Transaction,
  { fences, uncounted }: Documents,
  entries: boolean,
) {
  const queries = entries ? [fences.select(), uncounted.select()] : [fences.select()];
  const found: DocumentReference[] = [];
  for (const query of queries) {
    for (const { ref } of (await transaction.get(query)).docs) found.push(ref);
  }
  return () => found.forEach((ref) => void transaction.delete(ref));
}
