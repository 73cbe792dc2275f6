import { isCoverUrl } from './cover-url.ts';

const MAX_NAME_LENGTH = 120;
/** A letter, digit, punctuation mark or symbol. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Characters that show nothing by themselves; some of them count as letters. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Control characters, halves of a character, and those that change the direction of what follows. */
const DECEPTIVE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/**
 * The text fields of a nominee, besides its `id` (see ids.ts). A new field is declared here and in
 * `mapNomineeFields`; the nominees file, the stores and the API handle every declared field.
 */
export const NOMINEE_FIELDS = {
  name: {
    accepts: (text) =>
      text.length <= MAX_NAME_LENGTH &&
      VISIBLE.test(text.replace(IGNORABLE, '')) &&
      !DECEPTIVE.test(text),
    rule: `must be 1 to ${MAX_NAME_LENGTH} characters, not only spaces or invisible ones, without control characters`,
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
