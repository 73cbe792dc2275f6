import { expect, test } from 'vitest';
import { isCoverUrl } from './covers.ts';

test.each(['/covers/a.svg', '/', 'https://example.org/a.png', 'HTTP://example.org'])(
  'W6 %j is a valid cover URL',
  (url) => {
    expect(isCoverUrl(url)).toBe(true);
  },
);

test.each([
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
])('W6 %j is not a valid cover URL', (url) => {
  expect(isCoverUrl(url)).toBe(false);
});
