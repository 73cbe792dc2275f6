import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadata, texts } from '@goty/shared/texts';
import { Resvg } from '@resvg/resvg-js';

const NIGHT = '#0e0a1f';

/**
 * Writes what an installed or shared page needs: the icons, the picture of a preview and the
 * manifest.
 *
 * @param art the folder of the drawings; `{trophy}` in one stands for the trophy
 * @param trophyPath the trophy as SVG
 * @param dist where to write to
 */
export function writeInstallable(art: string, trophyPath: string, dist: string) {
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
