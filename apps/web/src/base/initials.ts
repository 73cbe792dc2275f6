// No lookbehind: before 16.4, Safari could not load the script.
const WORDS = /[\p{L}\p{M}\p{N}'’]+/gu;

/** The initials of a name's first two words: 'CO' for 'Clair Obscur: Expedition 33'. */
export function initialsOf(name: string): string {
  const words = name.match(WORDS) ?? [];
  const letters = words.flatMap((word) => word.match(/[\p{L}\p{N}]/u) ?? []);
  return letters.slice(0, 2).join('').toUpperCase();
}
