import { isCoverUrl } from '@goty/shared/covers';
import { gotyTexts } from '@goty/shared/goty-texts';
import { texts } from '@goty/shared/texts';
// The default entry injects its styles, which the page's CSP forbids.
import Swal, { type SweetAlertOptions } from 'sweetalert2/dist/sweetalert2.js';
import 'sweetalert2/dist/sweetalert2.css';
import './sweet-dialog.css';
import './thanks.css';
import type { ShowOutcome } from '../ballot-box.ts';
import type { NomineeList } from '../nominee-list.ts';
import { addThanks, type Results } from './thanks.ts';
import { uncoverFocus } from './uncover-focus.ts';

/** Creates the SweetAlert2 dialog with the outcome of a vote, as text. */
export function createDialog(nominees: NomineeList, results: Results): ShowOutcome {
  return async ({ ok, mensaje }, gameId, isAgain) => {
    const nominee = nominees.state.get().nominees?.find(({ id }) => id === gameId);
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const closing = new AbortController();
    const closed = closing.signal;
    // Back leads to another screen, to which the dialog does not belong.
    window.addEventListener('popstate', () => Swal.close(), { signal: closed });
    document.addEventListener('keydown', ignoreKeyRepeat, { capture: true, signal: closed });
    const { activeElement } = document;
    const { isDenied } = await Swal.fire({
      // Outside clicks are ignored, because a double click on the card's button would close the
      // dialog unread.
      allowOutsideClick: false,
      animation: !isStill,
      buttonsStyling: false,
      confirmButtonText: texts.dialog.confirm,
      scrollbarPadding: false,
      text: isAgain && nominee ? gotyTexts.again(nominee.name) : mensaje,
      ...(ok ? success(nominee?.url) : FAILURE),
      didOpen(popup) {
        if (ok && nominee) addThanks(popup, nominee, { isAgain, isStill, results, closed });
      },
      // SweetAlert2 would scroll to a button that is out of sight when the cover was pressed.
      returnFocus: false,
      didClose() {
        if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
        uncoverFocus();
      },
    });
    closing.abort();
    return isDenied;
  };
}

function success(cover = ''): SweetAlertOptions {
  return {
    // 'Ver el resultado' is the main button: that is where the vote leads.
    customClass: { popup: 'goty-thanks', confirmButton: 'button quiet', denyButton: 'button' },
    denyButtonText: texts.goty.toResult,
    imageAlt: '',
    imageUrl: isCoverUrl(cover) ? cover : '/trophy.svg',
    reverseButtons: true,
    showDenyButton: true,
    titleText: texts.dialog.success,
  };
}

// Replaces the stock icon, which is drawn with backgrounds that forced colours remove.
const FAILURE: SweetAlertOptions = {
  customClass: { confirmButton: 'button' },
  icon: 'error',
  iconHtml: '!',
  titleText: texts.dialog.failure,
};

/** If the key that voted is still held down, it would close the dialog unread. */
function ignoreKeyRepeat(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}
