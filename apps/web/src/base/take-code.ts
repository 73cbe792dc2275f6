import { CODE_NAME, DESK_NAME } from '@goty/shared/protocol';

/**
 * Takes the code of a link off the address, before anybody shares the address: a code for the operator's desk, of which visitors
 * load nothing else, or a code to vote with. In a browser that stores nothing, the code stays where it is.
 *
 * @param keepVotingCode keeps the latter, if it can be one. Returns whether it outlives the page
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
    // Nothing can be stored: the desk says so.
  }
}
