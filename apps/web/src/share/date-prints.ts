/** Writes the time of printing into the page, whenever it is printed; global.css shows it there (SPEC W125). */
export function datePrints() {
  window.addEventListener('beforeprint', () => {
    const now = new Date().toLocaleString('es', { dateStyle: 'long', timeStyle: 'short' });
    document.body.dataset.printed = now;
  });
}
