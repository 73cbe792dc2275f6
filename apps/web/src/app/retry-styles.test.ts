import { expect, test, vi } from 'vitest';
import { retryStyles } from './retry-styles.ts';

test('W98 a style sheet is loaded three times more, and only then whoever waits for it hears of it', async () => {
  const pauses: number[] = [];
  const failed = vi.fn();
  retryStyles(async (ms) => void pauses.push(ms), failed);
  const heard = vi.fn();
  const fail = async (link: HTMLLinkElement) => {
    const event = new Event('error');
    link.dispatchEvent(event);
    await Promise.resolve();
    await Promise.resolve();
  };
  const add = (rel: string) => {
    const link = document.createElement('link');
    link.rel = rel;
    link.href = '/assets/a.css';
    link.addEventListener('error', heard);
    document.body.append(link);
    return link;
  };
  const link = add('stylesheet');
  for (const attempt of [1, 2, 3]) {
    await fail(link);
    expect([link.getAttribute('href')?.split('/').at(-1), heard.mock.calls]).toEqual([
      `a.css?${attempt}`,
      [],
    ]);
  }
  await fail(link);
  expect([heard.mock.calls.length, failed.mock.calls.length]).toEqual([1, 4]);
  expect(pauses).toEqual([1_000, 3_000, 9_000]);
  await fail(add('modulepreload'));
  expect([heard.mock.calls.length, failed.mock.calls.length]).toEqual([2, 4]);
});
