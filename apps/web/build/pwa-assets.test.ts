import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { writePwaAssets } from './pwa-assets.ts';

const WEB = resolve(import.meta.dirname, '..');
const RED =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><path fill="red" d="M0 0h16v9H0z"/></svg>';

test('W24 the link preview shows the covers, and a plain tile for one that it cannot draw', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'goty-preview-'));
  const [svg, avif] = [join(folder.path, 'red.svg'), join(folder.path, 'red.avif')];
  writeFileSync(svg, RED);
  writeFileSync(avif, '');
  const preview = (cover: string): Buffer => {
    writePwaAssets(join(WEB, 'art'), join(WEB, 'public/trophy.svg'), [cover], folder.path);
    return readFileSync(join(folder.path, 'social.png'));
  };
  const plain = preview(join(folder.path, 'missing.svg'));
  expect(preview(avif).equals(plain)).toBe(true);
  expect(preview(svg).equals(plain)).toBe(false);
});
