import type { VoteResponse } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';

/** Shows the outcome of a vote and resolves when the visitor has closed it. */
export type ShowOutcome = (response: VoteResponse) => Promise<void>;

/** Loads the dialog. To be called while the vote is on its way. */
export async function loadDialog(): Promise<ShowOutcome> {
  try {
    // Not `import().then(…, …)`: Vite loads the styles around it, and their failure would escape.
    const { showOutcome } = await import('./sweet-dialog.ts');
    return showOutcome;
  } catch {
    return showNative;
  }
}

/** Where the network is gone, so is the dialog's own file: the visitor is told all the same. */
const showNative: ShowOutcome = async ({ ok, mensaje }) => {
  window.alert(`${ok ? texts.dialog.success : texts.dialog.failure}\n\n${mensaje}`);
};
