import { CODE_NAME } from './protocol.ts';

// Codes of which each has one vote: what page, server and commands have to agree on.

/** The digits of Crockford's Base32, which has no I, L, O and U: https://www.crockford.com/base32.html */
export const CODE_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * How many digits of a code are random, and how many are check digits, by which a server knows that the code was made for its
 * votes.
 */
export const CODE_LENGTH = { random: 9, check: 7 } as const;

const VOTING_CODE = new RegExp(`^[${CODE_DIGITS}]{${CODE_LENGTH.random + CODE_LENGTH.check}}$`);

/**
 * Reads a code as a visitor types it, or its whole link: in capitals or not, with or without spaces and hyphens, and with O for
 * 0, I or L for 1.
 *
 * @returns the code's 16 digits; `undefined` if the text cannot be a code
 */
export function readVotingCode(text: string): string | undefined {
  const [, inLink = text] = new RegExp(`#${CODE_NAME}=([\\w-]*)`).exec(text) ?? [];
  const digits = inLink
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  return VOTING_CODE.test(digits) ? digits : undefined;
}

/** Returns a code as it is printed, in groups of four. */
export function formatVotingCode(code: string): string {
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}
