import { texts } from '@goty/shared/texts';
// The default entry injects its styles, which the page's CSP forbids.
import Swal from 'sweetalert2/dist/sweetalert2.js';
import 'sweetalert2/dist/sweetalert2.css';
import './dialog.css';
import type { ShowOutcome } from './dialog.ts';

export const showOutcome: ShowOutcome = async ({ ok, mensaje }) => {
  // Back leads to another screen: the dialog of this one goes with it.
  const close = () => Swal.close();
  window.addEventListener('popstate', close);
  await Swal.fire({
    animation: !window.matchMedia('(prefers-reduced-motion: reduce)').matches,
    confirmButtonText: texts.dialog.confirm,
    icon: ok ? 'success' : 'error',
    scrollbarPadding: false,
    text: mensaje,
    titleText: ok ? texts.dialog.success : texts.dialog.failure,
  });
  window.removeEventListener('popstate', close);
};
