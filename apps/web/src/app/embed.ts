/**
 * Adapts inicio to a frame in another page: it tells that page its height, and its links open outside,
 * because goty must not be framed (SPEC P18).
 */
export function embed() {
  const root = document.documentElement;
  root.dataset.embedded = '';
  const content = document.getElementById('root');
  if (content) {
    new ResizeObserver(() => {
      const height = Math.ceil(content.getBoundingClientRect().height);
      // Any page may know the height.
      window.parent.postMessage({ type: 'goty:height', height }, '*');
    }).observe(content);
  }
  window.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (!link) return;
      link.target = '_blank';
      // The router would show the other screen in the frame.
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
