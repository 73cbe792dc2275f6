/** The path of the operator's own covers in both homes: files in a folder. */
export const COVERS_PATH = '/covers/';

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

const ANY_ORIGIN = 'https://goty.example';
