import { expect, test, vi } from 'vitest';
import {
  formatCount,
  formatMoment,
  formatRange,
  formatTick,
  formatTime,
  formatVotes,
  shareFormat,
} from './format.ts';

test('W3 votes are formatted in Spanish, with their unit, and compact at the axis', () => {
  expect([0, 3, 1_234, 12_345_678].map(formatCount)).toEqual(['0', '3', '1.234', '12.345.678']);
  expect([0, 1, 12].map(formatVotes)).toEqual(['0 votos', '1 voto', '12 votos']);
  const ticks = [0, 250, 5_000, 20_000, 20_000_000].map(formatTick);
  expect(ticks).toEqual(['0', '250', '5.000', '20\u00a0mil', '20\u00a0M']);
});

test.each([
  [[2, 1], '67 %; 33 %'],
  [[3, 0], '100 %; 0 %'],
  [[0, 0], '0 %; 0 %'],
  [[290, 9, 1], '97 %; 3 %; < 1 %'],
  [[999, 1], '99 %; < 1 %'],
  [[5, 5, 1], '45 %; 45 %; 9 %'],
  // A close race: all of them have more decimals.
  [[812_345, 804_120, 100_000, 900, 0], '47,3 %; 46,8 %; 5,8 %; < 0,1 %; 0,0 %'],
  [[50_010, 49_990], '50,01 %; 49,99 %'],
  [[5_000_001, 5_000_000], '50 %; 50 %'],
])('W112 the shares of %j are %s', (votes, shares) => {
  const format = shareFormat(votes.map((votos) => ({ votos })));
  const told = votes.map((votos) => format(votos).replace('\u00a0', ' '));
  expect(told.join('; ')).toBe(shares);
});

test('W121 numbers are those of the region, if its language is Spanish', async () => {
  for (const [language, ...expected] of [
    ['es-MX', '1,100', '7.3%'],
    ['es-ES', '1.100', '7,3 %'],
    ['es', '1.100', '7,3 %'],
    ['en-US', '1.100', '7,3 %'],
  ] as const) {
    vi.stubGlobal('navigator', { language });
    vi.resetModules();
    const format = await import('./format.ts');
    const formatShare = format.shareFormat([464, 463, 73].map((votos) => ({ votos })));
    const told = [format.formatCount(1_100), formatShare(73)];
    expect(told.map((text) => text.replace('\u00a0', ' '))).toEqual(expected);
  }
});

test('W121 what is written without Intl for Spain is what Intl writes', () => {
  const all = Array.from({ length: 3_001 }, (_, at) => at ** 2);
  const count = new Intl.NumberFormat('es', { useGrouping: 'always' });
  expect(all.map(formatCount)).toEqual(all.map((votes) => count.format(votes)));
  for (const [first, digits] of [
    [2_000, 0],
    [1_060, 1],
    [1_006, 2],
  ] as const) {
    const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const percent = new Intl.NumberFormat('es', { style: 'percent', ...options });
    // What the first two need, and a crowd behind them.
    for (const total of [20_000, 99_999]) {
      const rest = Array.from({ length: total - first - 1_000 }, () => ({ votos: 1 }));
      const format = shareFormat([{ votos: first }, { votos: 1_000 }, ...rest]);
      const parts = Array.from({ length: 999 }, (_, at) => at + total / 10 ** (digits + 2));
      expect(parts.map(format)).toEqual(parts.map((votes) => percent.format(votes / total)));
    }
  }
});

test('W61 a time is told by its day, and with its year if that is another', () => {
  vi.setSystemTime(new Date(2026, 10, 25, 12));
  for (const [day, hour, text] of [
    [25, 17, 'hoy a las 17:15'],
    [25, 1, 'hoy a la 01:15'],
    [26, 0, 'mañana a las 00:15'],
    [24, 23, 'ayer a las 23:15'],
    [27, 20, 'el viernes 27 de noviembre a las 20:15'],
    [37, 20, 'el lunes 7 de diciembre a las 20:15'],
    [68, 20, 'el jueves 7 de enero de 2027 a las 20:15'],
  ] as const) {
    const time = new Date(2026, 10, day, hour, 15).getTime();
    expect(formatTime(time)).toBe(text);
    expect(formatMoment(time)).toBe(text.replace('hoy a ', ''));
  }
});

test('W61 V13 a range of time is told by its hours, and by its days unless all of it is today', () => {
  vi.setSystemTime(new Date(2026, 10, 25, 12));
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour, 15).getTime();
  expect(formatRange(at(25, 1), at(25, 3))).toBe('de 01:15 a 03:15');
  expect(formatRange(at(25, 1), at(25, 1))).toBe('a la 01:15');
  const days = 'desde ayer a las 23:15 hasta hoy a las 03:15';
  expect(formatRange(at(24, 23), at(25, 3))).toBe(days);
  expect(formatRange(at(24, 23), at(24, 23))).toBe('ayer a las 23:15');
});
