/**
 * Moves the focus to the screen's heading when the focused element is about to go away, or the
 * screen has changed. A screen reader then announces the heading.
 */
export function focusHeading() {
  document.querySelector('h1')?.focus();
}
