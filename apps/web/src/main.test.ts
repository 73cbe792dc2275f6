import { expect, onTestFinished, test, vi } from 'vitest';
import { datePrint } from './main.tsx';

test('W125 a page is dated each time it is printed', () => {
  window.addEventListener('beforeprint', datePrint);
  onTestFinished(() => window.removeEventListener('beforeprint', datePrint));
  for (const [hour, text] of [
    [12, '31 de diciembre de 2026, 12:05'],
    [18, '31 de diciembre de 2026, 18:05'],
  ] as const) {
    vi.useFakeTimers({ now: new Date(2026, 11, 31, hour, 5) });
    window.dispatchEvent(new Event('beforeprint'));
    expect(document.body.dataset.printed?.replace(' a las', ',')).toBe(text);
  }
  delete document.body.dataset.printed;
});
