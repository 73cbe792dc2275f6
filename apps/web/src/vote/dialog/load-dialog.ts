import { texts } from '@goty/shared/texts';
import type { ShowOutcome } from '../ballot-box.ts';
import type { NomineeList } from '../nominee-list.ts';
import type { Results } from './thanks.ts';

/** How long to wait for the dialog's chunks: enough for a slow connection. */
const TIMEOUT_MS = 5_000;

/** Loads the dialog, or resolves with a plain one if that fails or takes too long. Never rejects. */
export async function loadDialog(nominees: NomineeList, results: Results): Promise<ShowOutcome> {
  const late = new Promise<ShowOutcome>((resolve) => setTimeout(resolve, TIMEOUT_MS, showPlain));
  return Promise.race([importDialog(nominees, results).catch(() => showPlain), late]);
}

// Not `import().then(…, …)`: Vite wraps the import in order to load the styles first, and a failure
// of those would not be caught.
async function importDialog(nominees: NomineeList, results: Results) {
  const { createDialog } = await import('./sweet-dialog.ts');
  return createDialog(nominees, results);
}

/** A plain dialog, for when the connection was lost before the other one could be loaded. */
const showPlain: ShowOutcome = ({ ok, mensaje }) => {
  const { success, failure, confirm } = texts.dialog;
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = ok ? success : failure;
  dialog.innerHTML = `<form method="dialog"><h2>${dialog.ariaLabel}</h2><p></p><button class="button">${confirm}`;
  dialog.querySelector('p')?.append(mensaje);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(false);
    };
  });
};
