import { CODE_NAME, DESK_NAME } from '@goty/shared/protocol';

/**
 * Moves the code of a link, a voting code or one for the desk, from the address into the browser's storage, before anybody shares
 * the address.
 *
 * @param keepVotingCode keeps a voting code, and returns whether it outlives the page; if not, it stays in the address
 */
export function takeCode(keepVotingCode: (text: string) => boolean) {
  // Mailing services write something behind the code, such as `&utm_source=qr`.
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
    // If sessionStorage is blocked, the code for the desk stays in the address, and the desk says why it cannot open.
  }
}
