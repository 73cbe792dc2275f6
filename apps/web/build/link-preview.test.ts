import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LANGUAGE } from '@goty/shared/protocol';
import { Resvg } from '@resvg/resvg-js';
import { decode, encode } from 'jpeg-js';
import { expect, test } from 'vitest';
import { drawLinkPreview } from './link-preview.ts';
import { tokenOf } from './tokens.ts';

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

test('W24 the link preview is below 300 kB, whatever the covers, at the size that the HTML tells', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'goty-preview-'));
  // Nothing compresses worse than noise.
  const data = new Uint8Array(264 * 148 * 4).map((_, at) => (Math.imul(at, 0x9e3779b1) >>> 9) ^ at);
  const covers = Array.from({ length: 8 }, (_, at) => join(folder.path, `${at}.jpg`));
  for (const cover of covers)
    writeFileSync(cover, encode({ width: 264, height: 148, data }, 95).data);
  const noise = drawLinkPreview(covers);
  expect(noise.length).toBeGreaterThan(100_000);
  expect(noise.length).toBeLessThanOrEqual(300_000);
  const built = readFileSync(resolve(import.meta.dirname, '../dist/social.jpg'));
  expect(built.length).toBeLessThanOrEqual(300_000);
  for (const picture of [noise, built])
    expect(decode(picture)).toMatchObject({ width: 1_200, height: 630 });
});

test.each(['inicio', 'goty'])('W24 the preview of %s is as true after the close', (screen) => {
  const html = readFileSync(resolve(import.meta.dirname, `../dist/${screen}.html`), 'utf8');
  const told = html.match(/<meta (name|property)="(og:.*|description)" content=".*?"/g)?.join();
  expect(told).toContain(`og:locale" content="${LANGUAGE}_`);
  expect(html).toContain(`<html lang="${LANGUAGE}"`);
  expect(told?.replaceAll(/content="\/.*?"/g, '')).not.toMatch(/vota|vote|directo/i);
});

/** How many of 255 steps a channel may differ where another processor draws. */
const TOLERANCE = 2;

test('W24 the icons are what art/icon.svg draws, with the trophy and the night of the page', () => {
  const read = (path: string) => readFileSync(resolve(import.meta.dirname, '..', path));
  const icon = read('art/icon.svg').toString();
  expect(icon).toContain(read('public/trophy.svg').toString());
  expect(icon).toContain(`stop-color="${tokenOf('night')}"`);

  const favicon = read('public/favicon.ico');
  const icons: readonly (readonly [number, Buffer])[] = [
    [32, favicon.subarray(favicon.readUInt32LE(18))],
    [180, read('public/apple-touch-icon.png')],
    [192, read('public/icon-192.png')],
    [512, read('public/icon-512.png')],
  ];
  for (const [width, png] of icons) {
    const href = `data:image/png;base64,${png.toString('base64')}`;
    const shown = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}"><image width="${width}" height="${width}" href="${href}"/></svg>`;
    const pixels = new Resvg(shown).render().pixels;
    const drawn = new Resvg(icon, { fitTo: { mode: 'width', value: width } }).render().pixels;
    expect(pixels).toHaveLength(drawn.length);
    const worst = drawn.reduce(
      (most, value, at) => Math.max(most, Math.abs(value - (pixels[at] ?? 0))),
      0,
    );
    expect([width, worst <= TOLERANCE]).toEqual([width, true]);
  }
});
