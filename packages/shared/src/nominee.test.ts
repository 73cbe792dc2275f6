import { expect, test } from 'vitest';
import { isCoverUrl } from './nominee.ts';

const VALID = ['/covers/a.svg', '/', 'https://example.org/a.png', 'HTTP://example.org'];
const OTHERS = [
  '',
  'covers/a.svg',
  '//evil.example/a.png',
  '/\\evil.example/a.png',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:image/svg+xml,<svg/>',
  'ftp://example.org/a.png',
  'https:///a.png',
  '/\t/evil.example/a.png',
  '/\n/evil.example/a.png',
  '/a\0.png',
  'http://[',
  'http://a b/c.png',
];

test('W6 a cover is a path, or an absolute address of the web', () => {
  expect([...VALID, ...OTHERS].filter(isCoverUrl)).toEqual(VALID);
});
