/**
 * Scrolls the focused button of a card out from under the bar that comes with a vote. Either of the two may
 * be the last: the bar, or the focus, which returns to the button when the dialog has closed.
 */
export function uncoverFocus() {
  document.querySelector('[data-nominee] button:focus')?.scrollIntoView({ block: 'nearest' });
}
