import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { COVERS_PATH, isCoverName } from '@goty/shared/cover-file';
import type { Nominee } from '@goty/shared/nominee';

/**
 * Enough for a photo of 1,920 × 1,080, twice as wide as a card is shown. Eight covers of this size
 * take 20 s over a slow phone connection (1.6 Mbit/s).
 */
const MAX_BYTES = 500_000;
/** Comments of an SVG may come before its first tag. */
const HEAD_BYTES = 4_096;

/** The endings of the names for each type; the first is the usual one. */
const ENDINGS = {
  AVIF: ['avif'],
  JPEG: ['jpg', 'jpeg'],
  PNG: ['png'],
  SVG: ['svg'],
  WebP: ['webp'],
} as const;

const SVG =
  /^\uFEFF?\s*(<\?xml[^>]*>\s*)?((<!--.*?-->|<!DOCTYPE[^>[]*(\[[^\]]*\]\s*)?>)\s*)*<svg[\s>/]/is;

/** What is wrong with the covers of these nominees, as far as we can see, a sentence for each. */
export function faultsOfCovers(folder: string, nominees: readonly Nominee[]): string[] {
  return nominees.flatMap(({ id, url }) => {
    if (/^http:/i.test(url)) {
      return [
        `The cover of ${id} is not shown on a page with https: its address begins with http://.`,
      ];
    }
    const fault = faultOfCover(folder, url);
    return fault === undefined ? [] : [`The cover of ${id} is not shown: ${fault}.`];
  });
}

/**
 * Returns what is wrong with a cover, or `undefined` if nothing is, or if it is not a file of the
 * operator's.
 *
 * @param folder where the files are
 */
export function faultOfCover(folder: string, url: string): string | undefined {
  const outside = `${url} is not in ${folder}`;
  const name = fileOf(url);
  // Browsers turn `/covers/../x` into `/x`.
  if (name === undefined) return url.startsWith(COVERS_PATH) ? outside : undefined;
  const path = join(folder, name);
  return path.startsWith(folder + sep) ? faultOfPath(folder, path) : outside;
}

function faultOfPath(folder: string, path: string): string | undefined {
  let content: Buffer;
  try {
    const file = statSync(path);
    // Opening a named pipe would wait for its writer.
    if (!file.isFile()) return `${path} is not a file`;
    if (!realpathSync(path).startsWith(realpathSync(folder) + sep)) {
      return `${path} is a link that leads out of ${folder}`;
    }
    if (file.size > MAX_BYTES) {
      return `${path} has ${Math.ceil(file.size / 1_000)} kB, and a cover at most ${MAX_BYTES / 1_000}`;
    }
    content = readFileSync(path);
  } catch {
    return `there is no file ${path} that can be read`;
  }
  const type = typeOf(content.subarray(0, HEAD_BYTES));
  if (type === undefined) return `${path} is not a JPEG, PNG, WebP, AVIF or SVG image`;
  const endings: readonly string[] = ENDINGS[type];
  const name = basename(path);
  if (isCoverName(name) && endings.some((ending) => name.endsWith(`.${ending}`))) return undefined;
  return `${path} is of type ${type}, so its name has to end in .${endings.join(' or .')}`;
}

/** The file's name in the folder, or `undefined` if the URL is not that of a file in it. */
function fileOf(url: string): string | undefined {
  const { origin, pathname } = new URL(url, 'file:');
  if (origin !== 'null' || !url.startsWith('/') || !pathname.startsWith(COVERS_PATH))
    return undefined;
  try {
    return decodeURIComponent(pathname.slice(COVERS_PATH.length));
  } catch {
    return pathname.slice(COVERS_PATH.length);
  }
}

/** Returns the type of an image by its content, because a file's name can be wrong. */
function typeOf(head: Buffer): keyof typeof ENDINGS | undefined {
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'JPEG';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'PNG';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'WebP';
  // The brands of a file: https://aomediacodec.github.io/av1-avif/#brands
  if (/^.{4}ftyp/s.test(text) && /avi[fs]/.test(text.slice(8, head.readUInt32BE(0)))) return 'AVIF';
  return SVG.test(head.toString('utf8')) ? 'SVG' : undefined;
}
