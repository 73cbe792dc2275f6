// The covers of the operator's own: files in a folder, served at `/covers/NAME` in both homes.

/** The path of the covers on the page's own origin. */
export const COVERS_PATH = '/covers/';

/** Whether a file of that name may be a cover. No other is served, whatever is in the folder. */
export function isCoverName(name: string): boolean {
  return /^[^.].*\.(avif|jpe?g|png|svg|webp)$/.test(name);
}
