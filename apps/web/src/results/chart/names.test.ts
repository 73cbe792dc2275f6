import { expect, test } from 'vitest';
import { shorten, wrap } from './names.ts';

test('W38 a long name is truncated, and wrapped in the tooltip', () => {
  expect(shorten('Hades II')).toBe('Hades II');
  expect(shorten('x'.repeat(40))).toBe(`${'x'.repeat(31)}…`);
  expect(wrap('Death Stranding 2: On the Beach')).toEqual(['Death Stranding 2: On the', 'Beach']);
  expect(wrap('x'.repeat(40))).toEqual(['x'.repeat(28), 'x'.repeat(12)]);
});
