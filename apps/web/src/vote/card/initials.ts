/** The initials of a name's first two words: 'CO' for 'Clair Obscur: Expedition 33'. */
export function initialsOf(name: string): string {
  return (name.match(FIRST_LETTERS) ?? []).slice(0, 2).join('').toUpperCase();
}

const FIRST_LETTERS = /(?<![\p{L}\p{M}\p{N}'’])[\p{L}\p{N}]/gu;
