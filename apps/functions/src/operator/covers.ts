import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { COVERS_PATH, isCoverName, type Nominee } from '@goty/shared/nominee';

/**
 * The greatest size of a cover: enough for a photo of 1,920 × 1,080, twice as wide as a card is shown. Eight covers of this size
 * take 20 s over a slow phone connection (1.6 Mbit/s).
 */
const MAX_BYTES = 500_000;

/** Returns what is wrong with the covers of these nominees, as far as the server can know, in a sentence for each. */
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

/** Returns what is wrong with a cover; `undefined` if nothing is, or if the cover is not a file of the operator's. */
export function faultOfCover(folder: string, url: string): string | undefined {
  const name = fileOf(url);
  // Browsers turn `/covers/../x` into `/x`, so such a URL begins with the folder but leads out of it.
  if (name === undefined)
    return url.startsWith(COVERS_PATH) ? `${url} is not in ${folder}` : undefined;
  const path = join(folder, name);
  try {
    const file = statSync(path);
    if (!file.isFile()) return `${path} is not a file`;
    if (!realpathSync(path).startsWith(realpathSync(folder) + sep)) {
      return `${path} is not in ${folder}, or is a link that leads out of it`;
    }
    if (file.size > MAX_BYTES) {
      return `${path} has ${Math.ceil(file.size / 1_000)} kB, and a cover at most ${MAX_BYTES / 1_000}`;
    }
    accessSync(path, constants.R_OK);
  } catch {
    return `there is no file ${path} that can be read`;
  }
  if (isCoverName(basename(path))) return undefined;
  return `the name of ${path} has to end in .avif, .jpg, .jpeg, .png, .svg or .webp, and not to begin with a dot`;
}

function fileOf(url: string): string | undefined {
  const { pathname } = new URL(url, 'file:');
  if (!url.startsWith('/') || !pathname.startsWith(COVERS_PATH)) return undefined;
  try {
    return decodeURIComponent(pathname.slice(COVERS_PATH.length));
  } catch {
    return pathname.slice(COVERS_PATH.length);
  }
}
