import { expect, test } from 'vitest';
import { isolate, shorten, shortenToFit, wrap } from './names.ts';

test('W38 a long name is truncated, and wrapped in the tooltip', () => {
  expect(shorten('Hades II')).toBe('Hades II');
  expect(shorten('x'.repeat(40))).toBe(`${'x'.repeat(31)}…`);
  expect(wrap('Death Stranding 2: On the Beach')).toEqual(['Death Stranding 2: On the', 'Beach']);
  expect(wrap('x'.repeat(40))).toEqual(['x'.repeat(28), 'x'.repeat(12)]);
});

test('W38 a name is truncated to the room that it has, but never to nothing', () => {
  expect(shortenToFit('Hades II', () => true)).toBe('Hades II');
  expect(shortenToFit('Clair Obscur', ({ length }) => length <= 10)).toBe('Clair Obs…');
  expect(shortenToFit('Clair Obscur', () => false)).toBe('Clair…');
});

test('W66 a name from right to left is isolated from the text around it', () => {
  expect(isolate('Hades II')).toBe('Hades II');
  expect(isolate('א')).toBe('\u2068א\u2069');
});
