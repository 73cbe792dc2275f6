/** A game without its votes, as `GET /goty` returns it. */
export interface Nominee {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`, but not `__…__` (SPEC B1). */
  readonly id: string;
  readonly name: string;
  /** The address of its cover: see `isCoverUrl`. */
  readonly url: string;
}

/**
 * The revision of a nominee list: a short hash, the same wherever it is computed, and another once
 * the list has changed (32-bit FNV-1a, which misses one change in four billion).
 */
export function revisionOf(nominees: readonly Nominee[]): string {
  const text = JSON.stringify(nominees);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

/** The path of the operator's own covers in both homes: files in a folder. */
export const COVERS_PATH = '/covers/';

const ANY_ORIGIN = 'https://goty.example';

/** Whether a file of that name may be a cover. No other is served, whatever is in the folder. */
export function isCoverName(name: string): boolean {
  return /^[^.].*\.(avif|jpe?g|png|svg|webp)$/i.test(name);
}

/**
 * Whether `url` may be the source of a cover: an http(s) URL, or a path on the page's own origin.
 * `//host` and `/\host` look like paths but point to another origin, and URL parsers drop tabs and
 * line breaks, so that `/<tab>/host` does too.
 */
export function isCoverUrl(url: string): boolean {
  if (!/^(\/(?![/\\])|https?:\/\/[^/])[^\p{Cc}]*$/iu.test(url)) return false;
  // Not URL.canParse, which came to Safari with 17 and to Chrome with 120.
  try {
    return Boolean(new URL(url, ANY_ORIGIN));
  } catch {
    return false;
  }
}
