import { isCoverUrl } from '@goty/shared/cover-url';
import { texts } from '@goty/shared/texts';
// The default entry injects its styles, which the page's CSP forbids.
import Swal, { type SweetAlertOptions } from 'sweetalert2/dist/sweetalert2.js';
import 'sweetalert2/dist/sweetalert2.css';
import './sweet-dialog.css';
import './thanks.css';
import type { ShowOutcome } from '../ballot-box.ts';
import type { NomineeList } from '../nominee-list.ts';
import { addThanks, type LoadStandings } from './thanks.ts';

/** Creates the SweetAlert2 dialog with the outcome of a vote, as text. */
export function createDialog(nominees: NomineeList, loadStandings: LoadStandings): ShowOutcome {
  return async ({ ok, mensaje }, gameId) => {
    const state = nominees.state.get();
    const nominee =
      state.status === 'ready' ? state.nominees.find(({ id }) => id === gameId) : undefined;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    let stop = () => {};
    // Back leads to another screen, to which the dialog does not belong.
    const close = () => Swal.close();
    window.addEventListener('popstate', close);
    document.addEventListener('keydown', ignoreKeyRepeat, { capture: true });
    const { isDenied } = await Swal.fire({
      // Outside clicks are ignored, because a double click on the card's button would close the
      // dialog unread.
      allowOutsideClick: false,
      animation: !isStill,
      confirmButtonText: texts.dialog.confirm,
      scrollbarPadding: false,
      text: mensaje,
      ...(ok ? success(nominee?.url) : FAILURE),
      didOpen(popup) {
        if (ok && nominee) stop = addThanks(popup, nominee, { isStill, loadStandings });
      },
      willClose: () => stop(),
    });
    window.removeEventListener('popstate', close);
    document.removeEventListener('keydown', ignoreKeyRepeat, { capture: true });
    if (isDenied) showResult();
  };
}

function success(cover = ''): SweetAlertOptions {
  return {
    customClass: { popup: 'goty-thanks' },
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
  icon: 'error',
  iconHtml: '!',
  titleText: texts.dialog.failure,
};

/** Follows the navigation bar's link: with React this needs no reload, before React it reloads. */
function showResult() {
  document.querySelector<HTMLAnchorElement>('nav a[href="/inicio"]')?.click();
}

/** If the key that voted is still held down, it would close the dialog unread. */
function ignoreKeyRepeat(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}
