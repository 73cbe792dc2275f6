import { CODE_NAME } from './protocol.ts';

/** The digits of Crockford's Base32, which has no I, L, O and U: https://www.crockford.com/base32.html */
export const CODE_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** By the check digits, a server knows that a code was made for its votes. */
export const CODE_LENGTH = { random: 9, check: 7 } as const;

const VOTING_CODE = new RegExp(`^[${CODE_DIGITS}]{${CODE_LENGTH.random + CODE_LENGTH.check}}$`);

/**
 * A visitor may type a code with small letters, spaces, hyphens, O for 0, I or L for 1, or as its whole link.
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
