import { afterEach, expect, test, vi } from 'vitest';
import { share } from './share.ts';

const URL = 'http://localhost:3000/goty';

/** Shares where the browser has these, and returns the result. */
function shareWith(fakes: Partial<Record<'share' | 'clipboard', unknown>>) {
  for (const [name, value] of Object.entries(fakes)) {
    Object.defineProperty(navigator, name, { configurable: true, value });
  }
  return share('Vota:', URL);
}

afterEach(() => {
  for (const name of ['share', 'clipboard']) Reflect.deleteProperty(navigator, name);
});

const failWith = (name: string) => () => Promise.reject(new DOMException('', name));

test('W46 a screen is shared by the share sheet', async () => {
  const sheet = vi.fn(async () => {});
  expect(await shareWith({ share: sheet })).toBe('shared');
  expect(sheet).toHaveBeenCalledExactlyOnceWith({ text: 'Vota:', url: URL });
});

test.each([
  ['without a share sheet', 'copied', {}],
  ['with one that fails', 'copied', { share: failWith('DataError') }],
  ['with one that the visitor closes', 'cancelled', { share: failWith('AbortError') }],
])('W46 %s the address is %s', async (_what, result, fakes) => {
  const writeText = vi.fn(async () => {});
  expect(await shareWith({ ...fakes, clipboard: { writeText } })).toBe(result);
  expect(writeText.mock.calls).toEqual(result === 'copied' ? [[`Vota: ${URL}`]] : []);
});

test.each([
  ['there is neither', {}],
  ['copying is denied', { clipboard: { writeText: failWith('NotAllowedError') } }],
])('W46 if %s, that is said', async (_what, fakes) => {
  expect(await shareWith(fakes)).toBe('impossible');
});
