/** `url` is the address of a cover (see `isCoverUrl`). SQL and commands use every field that is named here. */
export const NOMINEE_TEXTS = ['name', 'url'] as const;

/** A game without its votes, as `GET /goty` returns it. */
export interface Nominee extends Readonly<Record<(typeof NOMINEE_TEXTS)[number], string>> {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`, but not `__…__` (SPEC B1). */
  readonly id: string;
}

export function toNominee({ id, name, url }: Nominee): Nominee {
  return { id, name, url };
}

/** How long the cards stand in one order (SPEC N6). */
const TURN_MS = 60_000;

/** The list begins with the id `first` or, if no nominee has it, with the next id in their order. */
export function rotateTo(nominees: readonly Nominee[], first = ''): readonly Nominee[] {
  const sorted = [...nominees].sort((a, b) => (a.id < b.id ? -1 : 1));
  return [...sorted.filter(({ id }) => id >= first), ...sorted.filter(({ id }) => id < first)];
}

/**
 * Each minute the list begins with the next game, because the first card has an advantage.
 *
 * @param nominees ordered by id
 * @param now in milliseconds since the Unix epoch
 */
export function rotatedAt(nominees: readonly Nominee[], now: number): readonly Nominee[] {
  return rotateTo(nominees, nominees[Math.floor(now / TURN_MS) % nominees.length]?.id);
}

/** Returns how many seconds the list keeps its order from `now` on, rounded up. */
export function secondsToTurn(now: number): number {
  return Math.ceil((TURN_MS - (now % TURN_MS)) / 1_000);
}

/** Returns a 32-bit FNV-1a hash, which misses one change in four billion, and does not depend on the list's first nominee. */
export function listRevisionOf(nominees: readonly Nominee[]): string {
  const text = JSON.stringify(rotateTo(nominees));
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

export const COLOR_COUNT = 15;

/** Returns each nominee's place in the order of the ids, modulo COLOR_COUNT, however the list is turned (SPEC W4). */
export function colorsOf(nominees: readonly Nominee[]): readonly number[] {
  const sorted = rotateTo(nominees);
  return nominees.map((nominee) => sorted.indexOf(nominee) % COLOR_COUNT);
}

/** The path of the operator's own covers in both homes: files in a folder. */
export const COVERS_PATH = '/covers/';

const ANY_ORIGIN = 'https://goty.example';

/** Whether a file of this name may be a cover. No other file in the folder of covers is served. */
export function isCoverName(name: string): boolean {
  return /^[^.].*\.(avif|jpe?g|png|svg|webp)$/i.test(name);
}

/**
 * Whether a cover may have this address: a path, or a URL of http or https. `//host` and `/\host` look like paths but point to
 * another origin, and URL parsers drop tabs and line breaks, so that `/<tab>/host` does too. None of these is allowed.
 */
export function isCoverUrl(url: string): boolean {
  if (!/^(\/(?![/\\])|https?:\/\/[^/])[^\p{Cc}]*$/iu.test(url)) return false;
  // `URL.canParse` would do, too, but came to Safari only with 17 and to Chrome with 120.
  try {
    return Boolean(new URL(url, ANY_ORIGIN));
  } catch {
    return false;
  }
}

// The expression has no lookbehind: before 16.4, Safari could not load a script that has one.
const WORDS = /[\p{L}\p{M}\p{N}'’]+/gu;

/** Returns the initials of a name's first two words: 'CO' for 'Clair Obscur: Expedition 33'. */
export function initialsOf(name: string): string {
  const words = name.match(WORDS) ?? [];
  const letters = words.flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? []);
  return letters.slice(0, 2).join('').toUpperCase();
}
