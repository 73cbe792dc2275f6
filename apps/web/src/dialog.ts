import type { VoteResponse } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';

/** Shows the outcome of a vote and resolves when the visitor has closed it. */
export type ShowOutcome = (response: VoteResponse) => Promise<void>;

/** Starts to load the dialog. To be called while the vote is on its way. */
export function loadDialog(): Promise<ShowOutcome> {
  return import('./sweet-dialog.ts').then(
    (module) => module.showOutcome,
    () => showNative,
  );
}

/** Where the network is gone, so is the dialog's own file: the visitor is told all the same. */
const showNative: ShowOutcome = async ({ ok, mensaje }) => {
  window.alert(`${ok ? texts.dialog.success : texts.dialog.failure}\n\n${mensaje}`);
};
