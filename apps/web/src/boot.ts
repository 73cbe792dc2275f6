import { loadLive } from './live/load-live.ts';

// Both screens come as HTML: the scripts wait until that has been painted, with the images in it. On a
// slow line they would otherwise take the bandwidth and the processor that the first paint needs.

/** An image of another site that does not come holds the scripts up for no longer, in milliseconds. */
const PATIENCE_MS = 1_000;

const images = new Promise<void>((resolve) => {
  window.addEventListener('load', () => resolve(), { once: true });
  setTimeout(resolve, PATIENCE_MS);
});
images.then(() => requestAnimationFrame(() => setTimeout(start)));

function start() {
  import('./main.tsx');
  if (window.location.pathname !== '/inicio') return;
  // What the chart needs comes along with the script that will ask for it, not after it. Who shows it
  // asks again, and tells the visitor where it fails.
  loadLive().catch(() => {});
  import('./results/results.tsx').catch(() => {});
}
