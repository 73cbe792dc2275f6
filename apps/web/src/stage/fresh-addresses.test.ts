import { act, renderHook } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventName, screenUrl } from '../share/share.ts';
import { useFreshAddresses } from './fresh-addresses.ts';

const headOf = (origin: string, name: string, path = '/inicio') =>
  `<link rel="canonical" href="${origin}${path}"><meta property="og:site_name" content="${name}">`;

test('W96 W149 a stage that stays open takes a new PUBLIC_URL, and the name of the event', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  history.replaceState(undefined, '', '/inicio#sala');
  document.head.innerHTML = headOf('https://old.example', 'Ayer');
  const answers = [
    headOf('https://portal.example', 'Hotel', '/login'),
    '',
    headOf('https://new.example', 'Gala &amp; Co'),
  ];
  const fetched = vi.fn(async (_path: string) => new Response(answers.shift()));
  fetched.mockRejectedValueOnce(new TypeError('offline'));
  vi.stubGlobal('fetch', fetched);
  const { result, unmount } = renderHook(() => {
    useFreshAddresses();
    return [screenUrl('/goty'), eventName()];
  });
  const minute = () => act(() => vi.advanceTimersByTimeAsync(60_000));
  for (const _answer of ['offline', ...answers.slice(1)]) {
    await minute();
    expect(result.current).toEqual(['https://old.example/goty', 'Ayer']);
  }
  await minute();
  expect(result.current).toEqual(['https://new.example/goty', 'Gala & Co']);
  unmount();
  await minute();
  expect(fetched).toHaveBeenCalledTimes(4);
});
