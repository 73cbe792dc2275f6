import { PAGE_TIMEOUT_MS } from '@goty/shared/protocol';
import { timeout, whenOnline } from '../base/request.ts';

/** The item of sessionStorage with the times of the last reloads, since the page must not reload itself forever. */
const RELOADS_KEY = 'goty-reloads';
/** How long a reload counts against the number that is allowed, in milliseconds. */
const KEPT_MS = 10 * 60_000;
/** The pauses before each of the reloads that are allowed within KEPT_MS, in milliseconds. */
const RELOAD_PAUSES_MS = [1_000, 3_000, 9_000];
/** The longest pause before a server that is down is asked again, in milliseconds. */
const MAX_RELOAD_PAUSE_MS = 24_000;

/**
 * Reloads the page when one of its files is lost, on the way or because another deploy has replaced the file (SPEC W29).
 *
 * @param settled resolves when a reload would lose nothing
 */
export function reloadWhenLost(settled: () => Promise<unknown>) {
  let isLost = false;
  window.addEventListener('vite:preloadError', ({ payload }) => {
    // A syntax error says that the browser is too old for a file, as Safari 15 is for Firestore's SDK. A reload would not help.
    if (!(payload instanceof SyntaxError)) reload();
  });
  // The first style sheet may be lost before this script listens, so the script looks for what the sheet defines.
  window.addEventListener('load', () => {
    const styles = getComputedStyle(document.documentElement);
    if (import.meta.env.PROD && !styles.getPropertyValue('--page')) reload();
  });

  async function reload() {
    if (isLost) return;
    isLost = true;
    const earlier = recentReloads();
    let pause = RELOAD_PAUSES_MS[earlier.length];
    if (pause === undefined) return;
    do {
      await waitOrOnline(pause);
      pause = Math.min(2 * pause, MAX_RELOAD_PAUSE_MS);
    } while (!(await isServed()));
    await settled();
    sessionStorage.setItem(RELOADS_KEY, [...earlier, Date.now()].join(' '));
    window.location.reload();
  }
}

/** Whether a reload would show the page, and not the browser's own error. */
async function isServed(): Promise<boolean> {
  const signal = timeout(PAGE_TIMEOUT_MS);
  const init = { method: 'HEAD', cache: 'no-store', signal } as const;
  return fetch(window.location.pathname, init).then(
    ({ ok }) => ok,
    () => false,
  );
}

function waitOrOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    whenOnline(resolve);
  });
}

/** @throws if the browser stores nothing: then the page does not reload itself */
function recentReloads(): readonly number[] {
  const times = sessionStorage.getItem(RELOADS_KEY)?.split(' ').map(Number) ?? [];
  return times.filter((time) => Math.abs(Date.now() - time) < KEPT_MS);
}
