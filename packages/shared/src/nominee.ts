import { isCoverUrl } from './cover-url.ts';

const MAX_NAME_LENGTH = 120;

/**
 * The text fields of a nominee, besides its `id` (see ids.ts). A new field is declared here and in
 * `mapNomineeFields`; the nominees file, the stores and the API handle every declared field.
 */
export const NOMINEE_FIELDS = {
  name: {
    accepts: (text) => text.trim() !== '' && text.length <= MAX_NAME_LENGTH,
    rule: `must be 1 to ${MAX_NAME_LENGTH} characters, not only spaces`,
  },
  /** URL of the cover (see cover-url.ts). */
  url: {
    accepts: isCoverUrl,
    rule: 'must be an http(s) address or a path that starts with one /',
  },
} satisfies Record<string, NomineeFieldRule>;

export type NomineeField = keyof typeof NOMINEE_FIELDS;

/** A game without its votes, as `GET /goty` returns it. */
export type Nominee = { readonly id: string } & { readonly [Field in NomineeField]: string };

interface NomineeFieldRule {
  readonly accepts: (text: string) => boolean;
  /** The rule in words for the operator, to be appended to the field's name. */
  readonly rule: string;
}

/** The names of all fields, in the order of their declaration. */
export const nomineeFieldNames = Object.keys(NOMINEE_FIELDS).filter(
  (name): name is NomineeField => name in NOMINEE_FIELDS,
);

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
