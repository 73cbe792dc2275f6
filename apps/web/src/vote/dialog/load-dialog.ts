import { texts } from '@goty/shared/texts';
import type { ShowOutcome } from '../ballot-box.ts';

/** How long to wait for the dialog's chunks: enough for a slow connection. */
const TIMEOUT_MS = 5_000;

/** Loads the dialog, or resolves with a native alert if that fails or times out. Never rejects. */
export async function loadDialog(): Promise<ShowOutcome> {
  try {
    return await Promise.race([importDialog(), rejectAfterTimeout()]);
  } catch {
    return showNative;
  }
}

// Not `import().then(…, …)`: Vite wraps the import to load the styles, whose failure would escape.
async function importDialog(): Promise<ShowOutcome> {
  const { showOutcome } = await import('./sweet-dialog.ts');
  return showOutcome;
}

function rejectAfterTimeout(): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(reject, TIMEOUT_MS));
}

/** Only if the connection was lost before the dialog could be loaded. */
const showNative: ShowOutcome = async ({ ok, mensaje }) => {
  window.alert(`${ok ? texts.dialog.success : texts.dialog.failure}\n\n${mensaje}`);
};
