import { isCoverUrl } from './cover-url.ts';
import type { NomineeField } from './nominee.ts';

// The rules are not in nominee.ts, because then the page, which has no use for them, would have to
// load them.

const MAX_NAME_LENGTH = 120;
/** A letter, digit, punctuation mark or symbol. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Characters that show nothing by themselves; some of them count as letters. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Control characters, halves of a character, and those that change the direction of what follows. */
const DECEPTIVE = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

interface NomineeRule {
  readonly accepts: (text: string) => boolean;
  /** The rule in words for the operator, to be appended to the field's name. */
  readonly rule: string;
}

/** What each field of a nominee may hold. */
export const NOMINEE_RULES: Readonly<Record<NomineeField, NomineeRule>> = {
  name: {
    accepts: (text) =>
      text.length <= MAX_NAME_LENGTH &&
      VISIBLE.test(text.replace(IGNORABLE, '')) &&
      !DECEPTIVE.test(text),
    rule: `must be 1 to ${MAX_NAME_LENGTH} characters, not only spaces or invisible ones, without control characters`,
  },
  url: {
    accepts: isCoverUrl,
    rule: 'must be an http(s) address or a path that starts with one /',
  },
};
