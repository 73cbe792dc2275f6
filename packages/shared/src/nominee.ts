/**
 * The text fields of a nominee, besides its `id` (see ids.ts). A new field is declared here, in
 * `toNominee`, and with its rule in the server's nominees-file.ts; the stores and the API handle
 * every declared field.
 */
export const NOMINEE_FIELDS = ['name', 'url'] as const;

type NomineeField = (typeof NOMINEE_FIELDS)[number];

/** A game without its votes, as `GET /goty` returns it. */
export type Nominee = { readonly id: string } & { readonly [Field in NomineeField]: string };

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

/**
 * Builds a nominee.
 *
 * @param textOf returns the text of a field, wherever it is stored
 */
export function toNominee(id: string, textOf: (field: NomineeField) => string): Nominee {
  return { id, name: textOf('name'), url: textOf('url') };
}
