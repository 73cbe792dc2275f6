/**
 * The text fields of a nominee, besides its `id` (see ids.ts). A new field is declared here, in
 * `mapNomineeFields` and with its rule in nominee-rules.ts; the nominees file, the stores and the
 * API handle every declared field.
 */
export const NOMINEE_FIELDS = ['name', 'url'] as const;

export type NomineeField = (typeof NOMINEE_FIELDS)[number];

/** A game without its votes, as `GET /goty` returns it. */
export type Nominee = { readonly id: string } & { readonly [Field in NomineeField]: string };

/** Calls `map` for every field and returns the results by field. */
export function mapNomineeFields<Value>(
  map: (field: NomineeField) => Value,
): Record<NomineeField, Value> {
  return { name: map('name'), url: map('url') };
}

/**
 * Builds a nominee.
 *
 * @param textOf returns the text of a field, wherever it is stored
 */
export function toNominee(id: string, textOf: (field: NomineeField) => string): Nominee {
  return { id, ...mapNomineeFields(textOf) };
}
