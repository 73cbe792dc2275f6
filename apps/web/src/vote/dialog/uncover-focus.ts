/**
 * Scrolls the focused button of a card out from under the bar that comes with a vote. Either of the two may
 * be the last: the bar, or the focus, which returns to the button when the dialog has closed. A button that
 * is below the window, because the cover was pressed, stays there.
 */
export function uncoverFocus() {
  const button = document.querySelector('[data-nominee] button:focus');
  if (!button || button.getBoundingClientRect().top > window.innerHeight) return;
  button.scrollIntoView({ block: 'nearest' });
}
