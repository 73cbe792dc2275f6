import { afterEach, expect, test, vi } from 'vitest';
import { share } from './share.ts';

const URL = 'http://localhost:3000/goty';
const TEXT = 'Vota:';

/** Shares where the browser has these, and returns the result. */
function shareWith(fakes: Partial<Record<'share' | 'clipboard', unknown>>) {
  for (const [name, value] of Object.entries(fakes)) {
    Object.defineProperty(navigator, name, { configurable: true, value });
  }
  return share(TEXT);
}

afterEach(() => {
  for (const name of ['share', 'clipboard']) Reflect.deleteProperty(navigator, name);
});

function failWith(name: string) {
  return () => Promise.reject(new DOMException('', name));
}

test('W46 the voting page is shared by the share sheet', async () => {
  const sheet = vi.fn(async () => {});
  const writeText = vi.fn();
  expect(await shareWith({ share: sheet, clipboard: { writeText } })).toBe('shared');
  expect(sheet).toHaveBeenCalledExactlyOnceWith({ text: TEXT, url: URL });
  expect(writeText).not.toHaveBeenCalled();
});

test('W46 a visitor who closes the share sheet has nothing copied', async () => {
  const writeText = vi.fn();
  const result = await shareWith({ share: failWith('AbortError'), clipboard: { writeText } });
  expect(result).toBe('cancelled');
  expect(writeText).not.toHaveBeenCalled();
});

test.each([
  ['without a share sheet', {}],
  ['with one that fails', { share: failWith('DataError') }],
])('W46 %s the sentence and the address are copied', async (_what, fakes) => {
  const writeText = vi.fn(async () => {});
  expect(await shareWith({ ...fakes, clipboard: { writeText } })).toBe('copied');
  expect(writeText).toHaveBeenCalledExactlyOnceWith(`${TEXT} ${URL}`);
});

test.each([
  ['there is neither', {}],
  ['copying is denied', { clipboard: { writeText: failWith('NotAllowedError') } }],
])('W46 if %s, that is said', async (_what, fakes) => {
  expect(await shareWith(fakes)).toBe('impossible');
});
