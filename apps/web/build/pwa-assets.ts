import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadata, texts } from '@goty/shared/texts';
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
    writeFileSync(join(dist, file), image.asPng());
  };
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
    name: metadata.name,
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
