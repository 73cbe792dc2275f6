import { existsSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { encode } from 'jpeg-js';
import { tokenOf } from './tokens.ts';

/** The covers that resvg draws, by the ending of their names. In place of others, the link preview has a plain tile. */
const DRAWN: Record<string, string> = { jpeg: 'jpeg', jpg: 'jpeg', png: 'png', svg: 'svg+xml' };

const ART = resolve(import.meta.dirname, '../art');
const TROPHY_FILE = resolve(import.meta.dirname, '../public/trophy.svg');
const WIDTH = 1_200;
/** The most bytes that the preview may have, because some messengers show no larger one. */
const MAX_PREVIEW_BYTES = 300_000;

/** Draws the JPEG that shared links show (SPEC W24), with the covers at these paths, of which some may not exist. */
export function drawLinkPreview(covers: readonly string[]): Buffer {
  const parts: Record<string, string> = {
    trophy: readFileSync(TROPHY_FILE, 'utf8'),
    year: drawYear(new Date().getFullYear()),
    night: tokenOf('night'),
    text: tokenOf('night-text'),
    covers: drawCovers(covers),
    // Without covers the words are in the middle.
    top: covers.length > 0 ? '0' : '189',
  };
  const template = readFileSync(join(ART, 'social.svg'), 'utf8');
  const svg = template.replace(/\{(\w+)\}/g, (_, part) => parts[part] ?? '');
  const picture = new Resvg(svg, { fitTo: { mode: 'width', value: WIDTH } }).render();
  const { width, height, pixels: data } = picture;
  let jpeg = encode({ width, height, data }, 90).data;
  for (let quality = 80; jpeg.length > MAX_PREVIEW_BYTES && quality > 0; quality -= 10) {
    jpeg = encode({ width, height, data }, quality).data;
  }
  return jpeg;
}

/** Draws the digits of a year, which social.svg defines, beside each other. */
function drawYear(year: number): string {
  return [...String(year)].map((digit, i) => `<use href="#${digit}" x="${i * 92}"/>`).join('');
}

function drawCovers(covers: readonly string[]): string {
  const width = 264;
  const height = 148;
  const gap = 16;
  const top = covers.length > 4 ? 264 : 346;
  const tiles = covers.slice(0, 8).map((file, index) => {
    const x = 48 + (index % 4) * (width + gap);
    const y = top + Math.floor(index / 4) * (height + gap);
    const box = `x="${x}" y="${y}" width="${width}" height="${height}"`;
    const type = DRAWN[extname(file).slice(1)];
    if (type === undefined || !existsSync(file)) return `<rect ${box} fill="url(#press)"/>`;
    const data = `data:image/${type};base64,${readFileSync(file, 'base64')}`;
    return `<image ${box} preserveAspectRatio="xMidYMid slice" href="${data}"/>`;
  });
  return tiles.join('');
}
