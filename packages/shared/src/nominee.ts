import { isCoverUrl } from './cover-url.ts';

const MAX_NAME_LENGTH = 120;

/**
 * Every nominee has an `id` (see ids.ts) and these texts. A new field is declared here and in
 * `mapNomineeFields`; files, stores, the API and the page take it from there.
 */
export const NOMINEE_FIELDS = {
  name: {
    accepts: (text) => text.trim() !== '' && text.length <= MAX_NAME_LENGTH,
    rule: `must be 1 to ${MAX_NAME_LENGTH} characters, not only spaces`,
  },
  /** Address of the cover. */
  url: {
    accepts: isCoverUrl,
    rule: 'must be an http(s) address or a path that starts with one /',
  },
} satisfies Record<string, NomineeFieldRule>;

export type NomineeField = keyof typeof NOMINEE_FIELDS;

/** What `GET /goty` says about a game: who can be voted for, without the votes. */
export type Nominee = { readonly id: string } & { readonly [Field in NomineeField]: string };

interface NomineeFieldRule {
  readonly accepts: (text: string) => boolean;
  /** The rule in words, for the operator: it follows the name of the field. */
  readonly rule: string;
}

/** The names of the fields, in the order in which they are declared. */
export const nomineeFieldNames = Object.keys(NOMINEE_FIELDS).filter(
  (name): name is NomineeField => name in NOMINEE_FIELDS,
);

/** A value for each field. */
export function mapNomineeFields<Value>(
  of: (field: NomineeField) => Value,
): Record<NomineeField, Value> {
  return { name: of('name'), url: of('url') };
}

/** Builds a nominee from wherever its texts are stored. */
export function toNominee(id: string, textOf: (field: NomineeField) => string): Nominee {
  return { id, ...mapNomineeFields(textOf) };
}
