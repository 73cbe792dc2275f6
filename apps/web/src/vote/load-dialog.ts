import { texts } from '@goty/shared/texts';
import type { Client } from '../live/client.ts';
import type { Nominees } from '../live/nominees.ts';
import type { ShowOutcome } from './ballots.ts';

/** How long to wait for the dialog's chunks: enough for a slow connection. */
const TIMEOUT_MS = 5_000;

/** Loads the dialog, or resolves with a plain one if that fails or takes too long. Never rejects. */
export async function loadDialog(
  nominees: Nominees,
  client: Promise<Client>,
): Promise<ShowOutcome> {
  const late = new Promise<ShowOutcome>((resolve) => setTimeout(resolve, TIMEOUT_MS, showPlain));
  return Promise.race([importDialog(nominees, client).catch(() => showPlain), late]);
}

// Not `import().then(…, …)`: Vite wraps the import in order to load the styles first, and a failure
// of those would not be caught.
async function importDialog(nominees: Nominees, client: Promise<Client>) {
  const { createDialog } = await import('./dialog.ts');
  return createDialog(nominees, client);
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
