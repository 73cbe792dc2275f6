import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { APP_NAME, metadata, texts } from '@goty/shared/texts';
import { Resvg } from '@resvg/resvg-js';

const NIGHT = '#0e0a1f';
/** The covers that resvg draws. In place of the others the link preview has a plain tile. */
const DRAWN: Record<string, string> = {
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/**
 * Writes the icons, the link preview's image and the web app manifest (SPEC W24).
 *
 * @param art the folder of the SVG templates, with placeholders such as `{trophy}`
 * @param trophyPath the SVG file of the trophy
 * @param covers the nominees' covers: paths of files, of which some may not exist
 * @param dist the folder to write to
 */
export function writePwaAssets(
  art: string,
  trophyPath: string,
  covers: readonly string[],
  dist: string,
) {
  const parts: Record<string, string> = {
    trophy: readFileSync(trophyPath, 'utf8'),
    year: drawYear(new Date().getFullYear()),
    covers: drawCovers(covers),
    // Without covers the words are in the middle.
    top: covers.length > 0 ? '0' : '189',
  };
  const draw = (drawing: string, file: string, width: number) => {
    const template = readFileSync(join(art, drawing), 'utf8');
    const svg = template.replace(/\{(\w+)\}/g, (_, part) => parts[part] ?? '');
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

/** The digits as social.svg draws them, each 60 wide. */
function drawYear(year: number): string {
  return [...String(year)].map((digit, i) => `<use href="#${digit}" x="${i * 92}"/>`).join('');
}

/** The first eight covers in rows of four. */
function drawCovers(covers: readonly string[]): string {
  const [width, height, gap] = [264, 148, 16];
  const top = covers.length > 4 ? 264 : 346;
  const tiles = covers.slice(0, 8).map((file, index) => {
    const x = 48 + (index % 4) * (width + gap);
    const y = top + Math.floor(index / 4) * (height + gap);
    const box = `x="${x}" y="${y}" width="${width}" height="${height}"`;
    const type = DRAWN[extname(file)];
    if (type === undefined || !existsSync(file)) return `<rect ${box} fill="url(#press)"/>`;
    const data = `data:${type};base64,${readFileSync(file, 'base64')}`;
    return `<image ${box} preserveAspectRatio="xMidYMid slice" href="${data}"/>`;
  });
  return tiles.join('');
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
