import { expect, test } from 'vitest';
import { isolate } from './names.ts';

test('W66 a name from right to left is isolated from the text around it', () => {
  expect(isolate('Hades II')).toBe('Hades II');
  expect(isolate('א')).toBe('\u2068א\u2069');
});
