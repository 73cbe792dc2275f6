import type { Firestore, ReadOnlyTransactionOptions, Transaction } from 'firebase-admin/firestore';

const MAX_TRIES = 3;

/**
 * Runs a transaction. The emulator ends one that has waited too long for another, and the SDK does not try
 * that again as it does with the real Firestore.
 */
export async function transact<Result>(
  firestore: Firestore,
  work: (transaction: Transaction) => Promise<Result>,
  options?: ReadOnlyTransactionOptions,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await firestore.runTransaction(work, options);
    } catch (error) {
      if (tries === MAX_TRIES || !String(error).includes('invalid or closed')) throw error;
    }
  }
}
