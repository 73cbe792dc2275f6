/**
 * Whether `url` may be the source of a cover: an http(s) URL, or a path on the page's own origin.
 * `//host` and `/\host` look like paths but point to another origin, and URL parsers drop tabs and
 * line breaks, so that `/<tab>/host` does too.
 */
export function isCoverUrl(url: string): boolean {
  return /^(\/(?![/\\])|https?:\/\/[^/])[^\p{Cc}]*$/iu.test(url) && URL.canParse(url, ANY_ORIGIN);
}

const ANY_ORIGIN = 'https://goty.example';
