/** Where the focus goes when what had it is gone: those who cannot see the screen are told what it is. */
export function focusHeading() {
  document.querySelector('h1')?.focus();
}
