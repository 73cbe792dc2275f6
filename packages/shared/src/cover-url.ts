/**
 * Whether `url` may be the source of a cover: an http(s) URL, or a path on the page's own origin.
 * `//host` and `/\host` look like paths but point to another origin.
 */
export function isCoverUrl(url: string): boolean {
  return /^(\/(?![/\\])|https?:\/\/[^/])/i.test(url);
}
