/**
 * Whether a cover may be shown from that address: http(s), or a path of the page's own origin.
 * `//host` and `/\host` look like paths and leave the origin.
 */
export function isCoverUrl(url: string): boolean {
  return /^(\/(?![/\\])|https?:\/\/[^/])/i.test(url);
}
