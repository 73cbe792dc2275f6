/** The pauses before a style sheet or a script is loaded again, in milliseconds. */
export const RETRY_PAUSES_MS = [1_000, 3_000, 9_000];

/**
 * Loads style sheets again that have failed, from another address (SPEC W98). What waits for them,
 * such as an import, learns of a failure only after the last attempt.
 *
 * @param pause resolves after so many milliseconds, or as soon as it is worth another attempt
 * @param failed called whenever one has failed
 */
export function retryStyles(pause: (ms: number) => Promise<void>, failed: () => void) {
  // The event does not bubble, and the document has it first.
  document.addEventListener('error', retry, true);
  // Those that failed before this script was there.
  window.addEventListener('load', () => {
    for (const link of document.querySelectorAll('link')) {
      if (!hasRules(link)) link.dispatchEvent(new Event('error'));
    }
  });

  async function retry(event: Event) {
    const link = event.target;
    if (!(link instanceof HTMLLinkElement) || link.rel !== 'stylesheet') return;
    failed();
    const [address, attempt = '0'] = link.href.split('?');
    const ms = RETRY_PAUSES_MS[Number(attempt)];
    if (ms === undefined) return;
    event.stopPropagation();
    await pause(ms);
    link.href = `${address}?${Number(attempt) + 1}`;
  }
}

/** Chromium gives a style sheet that has failed rules that cannot be read. */
function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return Boolean(sheet?.cssRules.length);
  } catch {
    return false;
  }
}
