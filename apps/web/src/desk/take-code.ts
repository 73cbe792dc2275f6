import { DESK_NAME } from '@goty/shared/protocol';

/**
 * Takes the code of a link to the operator's desk off the address, before anybody shares that. This is in the first
 * script: it is all that visitors load of the desk. In a browser that stores nothing, the link stays where it is.
 */
export function takeCode() {
  // Mailing services write something behind the code, such as `&utm_source=qr`.
  const [, name, code] = window.location.hash.split(/[^\w-]/);
  try {
    if (name === DESK_NAME && code) {
      sessionStorage.setItem(DESK_NAME, code);
      window.history.replaceState(null, '', '/inicio');
    }
  } catch {
    // The desk says why.
  }
}
