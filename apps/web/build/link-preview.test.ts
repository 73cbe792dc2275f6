import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { drawLinkPreview } from './link-preview.ts';

const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><path fill="red" d="M0 0h16v9H0z"/></svg>';

test('W24 the link preview shows the covers, and a plain tile for one that it cannot draw', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'goty-preview-'));
  const svg = join(folder.path, 'red.svg');
  const avif = join(folder.path, 'red.avif');
  writeFileSync(svg, RED);
  writeFileSync(avif, '');
  const plain = drawLinkPreview([join(folder.path, 'missing.svg')]);
  expect(drawLinkPreview([avif]).equals(plain)).toBe(true);
  expect(drawLinkPreview([svg]).equals(plain)).toBe(false);
});

test.each(['inicio', 'goty'])('W24 the preview of %s is as true after the close', (screen) => {
  const html = readFileSync(resolve(import.meta.dirname, `../dist/${screen}.html`), 'utf8');
  const told = html.match(/<meta (name|property)="(og:.*|description)" content=".*?"/g)?.join();
  expect(told).toContain('es_ES');
  expect(told?.replaceAll(/content="\/.*?"/g, '')).not.toMatch(/vota|vote|directo/i);
});
