import { resultTexts } from '@goty/shared/result-texts';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Countdown, Deadline } from './countdown.tsx';
import { formatTime } from './format.ts';

const HOUR = 3_600_000;
const PARTS = { clockOffset: 500, words: resultTexts.ends };
/** The moment in words. Its day is another one later. */
const moment = (to: number) => resultTexts.ends(formatTime(to));

test("W119 a countdown goes on by the server's clock, however the visitor sets theirs", async () => {
  vi.useFakeTimers({ now: 0 });
  render(<Countdown {...PARTS} to={60_500} />);
  await after(10_000);
  for (const jump of [-HOUR, 2 * HOUR]) {
    vi.setSystemTime(Date.now() + jump);
    await after(10_001);
  }
  expect(document.body.textContent).toBe('30 segundos');
});

/** Lets time pass, and returns what is shown. */
async function after(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms));
  return document.body.textContent;
}

test('W119 the countdown shows a tile for each unit from the first that is not zero, and the last ten seconds alone', async () => {
  vi.useFakeTimers({ now: 0 });
  const to = 26 * HOUR + 60_000 + 12_500;
  render(<Countdown {...PARTS} to={to} />);
  expect(await after(0)).toBe('01 día02 horas01 minuto12 segundos');
  expect(await after(1_001)).toBe('01 día02 horas01 minuto11 segundos');
  expect(await after(3_600_000 * 25)).toBe('01 hora01 minuto11 segundos');
  expect(await after(to - 3_600_000 * 25 - 13_001)).toBe('12 segundos');
  expect(await after(2_000)).toBe('10 segundos');
  expect(await after(9_000)).toBe('1 segundo');
  expect(await after(1_500)).toBe('0 segundos');
  // Only its name is for screen readers.
  const timer = screen.getByRole('timer', { name: moment(to) });
  expect(timer.querySelectorAll(':scope > :not([aria-hidden])')).toHaveLength(0);
  expect(vi.getTimerCount()).toBe(0);
});

test('W120 a deadline is told as a moment, and in its last hour as the time that is left', async () => {
  vi.useFakeTimers({ now: 0 });
  // Further away than timers can be set.
  const to = 30 * 24 * HOUR;
  render(<Deadline {...PARTS} to={to} />);
  expect(await after(to - HOUR - 2_000)).toBe(moment(to));
  expect(screen.queryByRole('timer')).toBeNull();
  for (const [ms, time] of [
    [2_500, '59 min 59 s'],
    [3_537_000, '1 min 02 s'],
    [2_000, '1 min 00 s'],
    [1_000, '59 s'],
    [58_900, '1 s'],
  ] as const) {
    const told = (await after(ms))?.replaceAll('\u00a0', ' ');
    expect(told).toBe(`Termina en ${time}`);
  }
  screen.getByRole('timer', { name: moment(to) });
  expect(await after(HOUR)).toBe(moment(to));
});
