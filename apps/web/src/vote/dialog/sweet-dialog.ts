import { texts } from '@goty/shared/texts';
// The default entry injects its styles, which the page's CSP forbids.
import Swal from 'sweetalert2/dist/sweetalert2.js';
import 'sweetalert2/dist/sweetalert2.css';
import './sweet-dialog.css';
import type { ShowOutcome } from '../ballot-box.ts';

/** Shows the outcome of a vote in a SweetAlert2 dialog, as text. */
export const showOutcome: ShowOutcome = async ({ ok, mensaje }) => {
  // Back leads to another screen, which the dialog does not belong to.
  const close = () => Swal.close();
  window.addEventListener('popstate', close);
  document.addEventListener('keydown', ignoreKeyRepeat, { capture: true });
  await Swal.fire({
    // A double click on the button would close the dialog unread.
    allowOutsideClick: false,
    animation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    confirmButtonText: texts.dialog.confirm,
    // Not the stock icons, which are drawn with backgrounds: forced colours remove them.
    ...(ok ? { imageUrl: '/trophy.svg', imageAlt: '' } : { icon: 'error', iconHtml: '!' }),
    scrollbarPadding: false,
    text: mensaje,
    titleText: ok ? texts.dialog.success : texts.dialog.failure,
  });
  window.removeEventListener('popstate', close);
  document.removeEventListener('keydown', ignoreKeyRepeat, { capture: true });
};

/** The key that voted, if it is still held, would close the dialog unread. */
function ignoreKeyRepeat(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}
