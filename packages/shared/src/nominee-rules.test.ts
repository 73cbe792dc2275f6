import { expect, test } from 'vitest';
import { NOMINEE_RULES } from './nominee-rules.ts';

test.each([
  'Hades II',
  '¡Pokémon! 7',
  '原神',
  'ゼルダ',
  'لعبة',
  '🎮',
  '👩‍🚀 Space',
  'می‌خواهم', // with a zero-width non-joiner, as Persian needs it
  'x'.repeat(120),
])('P3 %j is a valid name', (name) => {
  expect(NOMINEE_RULES.name.accepts(name)).toBe(true);
});

test.each([
  '',
  '  \u00a0\u3000',
  'x'.repeat(121),
  '\u200b',
  '\u200d\u2060\ufeff',
  '\u3164', // a letter that shows nothing
  '\u00ad ',
  '\u0301',
  'a\0b',
  'a\nb',
  'a\u007f',
  'a\u0085',
  '\u202eIIsedaH',
  'a\u2066b',
  'a\ud800',
])('P3 %j is not a valid name', (name) => {
  expect(NOMINEE_RULES.name.accepts(name)).toBe(false);
});
