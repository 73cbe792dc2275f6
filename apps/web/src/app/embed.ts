/** Tells the page around inicio's height, and opens links outside the frame, because goty must not be framed (SPEC P18). */
export function embed() {
  const root = document.documentElement;
  root.dataset.embedded = '';
  const content = document.getElementById('root');
  if (content) {
    new ResizeObserver(() => {
      const height = Math.ceil(content.getBoundingClientRect().height);
      // The height is no secret, so it is sent to whatever page is around.
      window.parent.postMessage({ type: 'goty:height', height }, '*');
    }).observe(content);
  }
  window.addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element && event.target.closest('a');
      if (!link) return;
      link.target = '_blank';
      // Keeps the click from the router, which would show the other screen in the frame.
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
