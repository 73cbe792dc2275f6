import { DESK_NAME } from '@goty/shared/protocol';

/**
 * Takes the code of a link to the operator's desk off the address, before anybody shares that. This is in the first
 * script: it is all that visitors load of the desk. In a browser that stores nothing, the link stays where it is.
 */
export function takeCode() {
  const [, code] = window.location.hash.split(`#${DESK_NAME}=`);
  try {
    if (code) {
      sessionStorage.setItem(DESK_NAME, code);
      window.history.replaceState(null, '', '/inicio');
    }
  } catch {
    // The desk says why.
  }
}
