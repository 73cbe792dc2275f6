import { SITE_NAME } from '@goty/shared/protocol';
import { shareButtonTexts } from '@goty/shared/result-texts';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { eventName, screenUrl, share } from './share.ts';

const URL = 'https://goty.example/goty';

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
  expect(await shareWith({ share: sheet })).toBe('');
  expect(sheet).toHaveBeenCalledExactlyOnceWith({ text: 'Vota:', url: URL });
});

test.each([
  ['without a share sheet', shareButtonTexts.copied, {}],
  ['with one that fails', shareButtonTexts.copied, { share: failWith('DataError') }],
  ['with one that is closed', '', { share: failWith('AbortError') }],
  ['without a clipboard, too,', shareButtonTexts.copyThis(URL), { clipboard: undefined }],
  [
    'if that is denied',
    shareButtonTexts.copyThis(URL),
    { clipboard: { writeText: failWith('Not') } },
  ],
])('W46 %s the page says "%s"', async (_what, told, fakes) => {
  const writeText = vi.fn(async () => {});
  expect(await shareWith({ clipboard: { writeText }, ...fakes })).toBe(told);
  expect(writeText.mock.calls).toEqual(told === shareButtonTexts.copied ? [[`Vota: ${URL}`]] : []);
});

test('W149 the page knows the name of the event that the server has written, and says it with what is shared', async () => {
  expect(eventName()).toBeUndefined();
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'og:site_name');
  document.head.append(meta);
  onTestFinished(() => meta.remove());
  // In development nothing is written, and otherwise the app's own name.
  for (const none of ['', SITE_NAME]) {
    meta.content = none;
    expect(eventName()).toBeUndefined();
  }
  meta.content = 'Gala "de" la <Revista> & 2026';
  expect(eventName()).toBe(meta.content);
  const sheet = vi.fn(async () => {});
  await shareWith({ share: sheet });
  expect(sheet).toHaveBeenCalledExactlyOnceWith({ text: `${meta.content} · Vota:`, url: URL });
});

test('W96 a screen has the address that the server has written, unless only this machine can open it', () => {
  expect(screenUrl('/goty')).toBe(URL);
  const canonical = document.querySelector('link');
  const before = canonical?.href ?? '';
  onTestFinished(() => canonical?.setAttribute('href', before));
  // Empty means the page's own, which is on localhost here.
  for (const href of ['/inicio', 'http://127.0.0.1:3000/goty', 'http://[::1]/goty']) {
    canonical?.setAttribute('href', href);
    expect(screenUrl('/goty')).toBeUndefined();
  }
  canonical?.setAttribute('href', 'http://192.168.1.7:3000/inicio');
  expect(screenUrl('/goty')).toBe('http://192.168.1.7:3000/goty');
});
