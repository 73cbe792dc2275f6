import { reloadIfOutdated } from './base/reload-if-outdated.ts';
import { loadLive } from './live/load-live.ts';

// Both screens are prerendered. The scripts wait until the HTML and its images have been painted:
// on a slow connection they would compete with the first paint for bandwidth and CPU time.

// Hosting serves inicio at every path that it does not know (SPEC W2).
const { pathname } = window.location;
if (import.meta.env.PROD && pathname !== '/inicio' && pathname !== '/goty') {
  window.history.replaceState(undefined, '', '/inicio');
}

/** How long to wait for the images, in milliseconds: those of other sites may be slow or hang. */
const MAX_IMAGE_WAIT_MS = 1_000;

const imagesLoaded = new Promise<void>((resolve) => {
  window.addEventListener('load', () => resolve(), { once: true });
  setTimeout(resolve, MAX_IMAGE_WAIT_MS);
});
imagesLoaded.then(() => requestAnimationFrame(() => setTimeout(start)));

function start() {
  loadMain();
  if (window.location.pathname !== '/inicio') return;
  // Loads the chunks of the chart in parallel with main, not after it. Errors are ignored here: the
  // screen imports the same chunks and shows the failure.
  loadLive().catch(() => {});
  import('./results/results.tsx').catch(() => {});
}

/** The pauses before main is loaded again, in milliseconds. Meanwhile the HTML shows a message. */
const RETRY_PAUSES_MS = [1_000, 3_000, 9_000];

async function loadMain() {
  for (const pause of RETRY_PAUSES_MS) {
    try {
      await import('./main.tsx');
      return;
    } catch {
      reloadIfOutdated(async () => {});
      await Promise.race([wait(pause), online()]);
    }
  }
  // Firefox and Safari never load a module again that has failed.
  await online();
  window.location.reload();
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function online(): Promise<void> {
  return new Promise((resolve) =>
    window.addEventListener('online', () => resolve(), { once: true }),
  );
}
