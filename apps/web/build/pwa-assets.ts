import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APP_NAME, metadata, texts } from '@goty/shared/texts';
import { Resvg } from '@resvg/resvg-js';

const NIGHT = '#0e0a1f';

/**
 * Writes the icons, the link preview's image and the web app manifest (SPEC W24).
 *
 * @param art the folder of the SVG templates, with `{trophy}` as the placeholder for the trophy
 * @param trophyPath the SVG file of the trophy
 * @param dist the folder to write to
 */
export function writePwaAssets(art: string, trophyPath: string, dist: string) {
  const trophy = readFileSync(trophyPath, 'utf8');
  const draw = (drawing: string, file: string, width: number) => {
    const svg = readFileSync(join(art, drawing), 'utf8').replace('{trophy}', () => trophy);
    const image = new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render();
    const png = image.asPng();
    writeFileSync(join(dist, file), file.endsWith('.ico') ? toIco(png, width) : png);
  };
  // Browsers and other programs ask for it unasked.
  draw('icon.svg', 'favicon.ico', 32);
  draw('icon.svg', 'apple-touch-icon.png', 180);
  draw('icon.svg', 'icon-192.png', 192);
  draw('icon.svg', 'icon-512.png', 512);
  draw('social.svg', 'social.png', 1_200);

  const icon = (size: number) => ({
    src: `/icon-${size}.png`,
    type: 'image/png',
    sizes: `${size}x${size}`,
    purpose: 'any maskable',
  });
  const manifest = {
    name: APP_NAME,
    short_name: texts.title,
    description: metadata.description,
    lang: 'es',
    start_url: '/inicio',
    display: 'standalone',
    background_color: NIGHT,
    theme_color: NIGHT,
    icons: [icon(192), icon(512)],
  };
  writeFileSync(join(dist, 'manifest.webmanifest'), JSON.stringify(manifest));
}

/** An ICO file with one PNG: https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10) */
function toIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2); // an icon
  header.writeUInt16LE(1, 4); // one image
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10); // planes
  header.writeUInt16LE(32, 12); // bits of a pixel
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}
