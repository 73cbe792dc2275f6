import { afterEach, expect, test, vi } from 'vitest';
import { share } from './share.ts';

const URL = 'http://localhost:3000/goty';
const TEXT = 'Vota:';

function stubNavigator(fakes: Partial<Record<'share' | 'clipboard', unknown>>) {
  for (const [name, value] of Object.entries(fakes)) {
    Object.defineProperty(navigator, name, { configurable: true, value });
  }
}

afterEach(() => {
  for (const name of ['share', 'clipboard']) Reflect.deleteProperty(navigator, name);
});

test('W46 the voting page is shared by the share sheet', async () => {
  const sheet = vi.fn(async () => {});
  const writeText = vi.fn(async () => {});
  stubNavigator({ share: sheet, clipboard: { writeText } });
  expect(await share(TEXT)).toBe('shared');
  expect(sheet).toHaveBeenCalledExactlyOnceWith({ text: TEXT, url: URL });
  expect(writeText).not.toHaveBeenCalled();
});

test('W46 a visitor who closes the share sheet has nothing copied', async () => {
  const writeText = vi.fn(async () => {});
  const close = () => Promise.reject(new DOMException('closed', 'AbortError'));
  stubNavigator({ share: close, clipboard: { writeText } });
  expect(await share(TEXT)).toBe('cancelled');
  expect(writeText).not.toHaveBeenCalled();
});

test.each([
  ['without a share sheet', {}],
  ['with one that fails', { share: () => Promise.reject(new DOMException('', 'DataError')) }],
])('W46 %s the sentence and the address are copied', async (_what, fakes) => {
  const writeText = vi.fn(async () => {});
  stubNavigator({ ...fakes, clipboard: { writeText } });
  expect(await share(TEXT)).toBe('copied');
  expect(writeText).toHaveBeenCalledExactlyOnceWith(`${TEXT} ${URL}`);
});

test.each([
  ['there is neither', {}],
  ['copying is denied', { clipboard: { writeText: () => Promise.reject(new Error('denied')) } }],
])('W46 if %s, that is said', async (_what, fakes) => {
  stubNavigator(fakes);
  expect(await share(TEXT)).toBe('impossible');
});
