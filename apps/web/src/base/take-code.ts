import { CODE_NAME, DESK_NAME } from '@goty/shared/protocol';

/**
 * Moves the code of a link from the address into the browser's storage, before anybody shares the address. The code is for the
 * operator's desk, of which visitors load nothing but this, or it is one to vote with. In a browser that stores nothing, the code
 * stays in the address.
 *
 * @param keepVotingCode keeps a code to vote with, if the text can be one. Returns whether the code outlives the page
 */
export function takeCode(keepVotingCode: (text: string) => boolean) {
  // Mailing services write something behind the code, such as `&utm_source=qr`, so the code ends before the first character that
  // no code has.
  const [, name, code] = window.location.hash.split(/[^\w-]/);
  if (!code) return;
  try {
    if (name === DESK_NAME) {
      sessionStorage.setItem(DESK_NAME, code);
      window.history.replaceState(null, '', '/inicio');
    } else if (name === CODE_NAME && keepVotingCode(code)) {
      window.history.replaceState(null, '', '/goty');
    }
  } catch {
    // If nothing can be stored, the code stays in the address, and the desk says why it cannot open.
  }
}
