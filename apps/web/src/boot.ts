import { loadLive } from './live/load-live.ts';

// Both screens come as HTML: the scripts wait until that has been painted. On a slow line they would
// otherwise take the bandwidth and the processor that the first paint needs.
requestAnimationFrame(() => setTimeout(start));

function start() {
  import('./main.tsx');
  if (window.location.pathname !== '/inicio') return;
  // What the chart needs comes along with the script that will ask for it, not after it.
  // Who shows them asks again, and tells the visitor where they fail.
  loadLive().catch(() => {});
  import('./components/results.tsx').catch(() => {});
}
