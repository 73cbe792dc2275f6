import { texts } from '@goty/shared/texts';
import type { ShowOutcome } from './ballot-box.ts';

/** Longer than a slow line needs for the dialog's files; a vote is not to wait for them for ever. */
const TIMEOUT_MS = 5_000;

/** Loads the dialog. To be called while the vote is on its way. Never rejects. */
export async function loadDialog(): Promise<ShowOutcome> {
  try {
    return await Promise.race([importDialog(), failLate()]);
  } catch {
    return showNative;
  }
}

// Not `import().then(…, …)`: Vite loads the styles around it, and their failure would escape.
async function importDialog(): Promise<ShowOutcome> {
  const { showOutcome } = await import('./sweet-dialog.ts');
  return showOutcome;
}

function failLate(): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(reject, TIMEOUT_MS));
}

/** Where the network is gone, so is the dialog's own file: the visitor is told all the same. */
const showNative: ShowOutcome = async ({ ok, mensaje }) => {
  window.alert(`${ok ? texts.dialog.success : texts.dialog.failure}\n\n${mensaje}`);
};
