import { DESK_NAME } from '@goty/shared/protocol';

/**
 * Takes the code of a link to the operator's desk off the address, before anybody shares that. This is in the first
 * script: it is all that visitors load of the desk.
 */
export function takeCode() {
  const [, code] = window.location.hash.split(`#${DESK_NAME}=`);
  if (code === undefined) return;
  window.history.replaceState(null, '', '/inicio');
  sessionStorage.setItem(DESK_NAME, code);
}
