import type { DocumentReference } from 'firebase-admin/firestore';
import { type Documents, incrementsOf, stateIn, votesIn } from './documents.ts';

/** What the commits of an instance rely on, which stays true as long as the instance's fence exists. */
export interface Fenced {
  /**
   * The instance's own document, into which its commits write the votes that they hide, so that these commits fail once the fence
   * is gone. Commits of first votes under load do so even if they hide none. No commit of another instance touches the fence.
   */
  readonly fence: DocumentReference;
  readonly frozenAt: number | undefined;
  readonly voteId: string;
  readonly games: ReadonlySet<string>;
}

/**
 * Lets commits write without reading or locking what they depend on: every change of the times or of the vote's id, every removal
 * of a game, and every change that sets the sums anew deletes all fences. A commit that fails for that reason reads again.
 */
export function createFences({ fences, games, settings, transact }: Documents) {
  let known: Promise<Fenced> | undefined;
  /** The fence that was made last, so that it can be deleted even if what commits rely on could not be read after that. */
  let fence: DocumentReference | undefined;

  return {
    latest: () => known ?? keep(look()),
    /** Makes a new fence, unless another commit has done so since the caller got `outdated`. */
    async renew(outdated: Fenced | undefined): Promise<Fenced> {
      const before = known;
      const current = await before?.catch(() => undefined);
      if (known && known !== before) return known;
      if (current && outdated && current !== outdated) return current;
      return keep(look());
    },
    async close() {
      await known?.catch(() => {});
      known = undefined;
      await drop();
    },
  };

  /** Keeps what `look` resolves with. If it rejects, the next commit calls `look` again. */
  function keep(next: Promise<Fenced>): Promise<Fenced> {
    known = next;
    next.catch(() => {
      if (known === next) known = undefined;
    });
    return next;
  }

  async function look(): Promise<Fenced> {
    await drop();
    // The fence is made before the reads, so that any change after the reads deletes it. Each fence has a name of its own,
    // because a commit that was given up, and that writes an earlier fence, may still be on its way.
    const made = fences.doc();
    fence = made;
    // If a reply was lost, the SDK sends the write again, and the first copy may arrive late. With `merge`, a late copy neither
    // fails nor removes what commits have hidden since.
    await made.set({}, { merge: true });
    const [state, list] = await Promise.all([settings.get(), games.select().get()]);
    const ids = new Set(list.docs.map(({ id }) => id));
    const { times, voteId } = stateIn(state);
    return { fence: made, frozenAt: times.frozenAt, voteId, games: ids };
  }

  /** Deletes the fence. The votes that it has hidden stay hidden: the settings take them over. */
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
