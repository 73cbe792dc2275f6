import { type DocumentSnapshot, FieldValue } from 'firebase-admin/firestore';
import { sumsAfterRecount } from '../votes/vote-store.ts';
import { type Documents, SCHEMA, schemaIn, stateIn } from './documents.ts';
import { recountGames, writeSums } from './recount.ts';

/** Reads the settings. If the vote has an older schema, the vote is brought to the newest one first. */
export async function readMigratedSettings(documents: Documents): Promise<DocumentSnapshot> {
  const { settings } = documents;
  const found = await settings.get();
  if (!isOld(found)) return found;
  await updateSchema(documents);
  return settings.get();
}

function isOld(settings: DocumentSnapshot): boolean {
  return settings.exists && schemaIn(settings) < SCHEMA;
}

/**
 * Brings a vote of the first schema to this one, in which numbers say what is hidden, and no longer marks of ballots. From then
 * on, commits of version 1.0.0 fail where several instances commit.
 */
function updateSchema(documents: Documents): Promise<void> {
  const { changeSettings, games, settings, transact } = documents;
  return transact(async (transaction) => {
    const found = await transaction.get(settings);
    if (!isOld(found)) return;
    const { frozenAt = Infinity } = stateIn(found).times;
    const isFrozen = frozenAt <= found.readTime.toMillis();
    const { counts, left } = await recountGames(transaction, documents, found);
    const sums = new Map(counts.map((count) => [count.game, sumsAfterRecount(count, isFrozen)]));
    for (const { game } of counts)
      transaction.update(games.doc(game), { votesGiven: FieldValue.delete() });
    writeSums(transaction, documents, sums, left);
    changeSettings(transaction, { voids: FieldValue.delete() });
  });
}
