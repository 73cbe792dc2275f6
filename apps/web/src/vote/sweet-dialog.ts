import { texts } from '@goty/shared/texts';
// The default entry injects its styles, which the page's CSP forbids.
import Swal from 'sweetalert2/dist/sweetalert2.js';
import 'sweetalert2/dist/sweetalert2.css';
import './sweet-dialog.css';
import type { ShowOutcome } from './ballot-box.ts';

export const showOutcome: ShowOutcome = async ({ ok, mensaje }) => {
  // Back leads to another screen: the dialog of this one goes with it.
  const close = () => Swal.close();
  window.addEventListener('popstate', close);
  // The second half of a double click, or the key that voted and is still held, would close it unread.
  document.addEventListener('keydown', ignoreHeldKey, { capture: true });
  await Swal.fire({
    allowOutsideClick: false,
    animation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    confirmButtonText: texts.dialog.confirm,
    icon: ok ? 'success' : 'error',
    scrollbarPadding: false,
    text: mensaje,
    titleText: ok ? texts.dialog.success : texts.dialog.failure,
  });
  window.removeEventListener('popstate', close);
  document.removeEventListener('keydown', ignoreHeldKey, { capture: true });
};

function ignoreHeldKey(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}
