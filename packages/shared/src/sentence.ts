/**
 * Ends a sentence with a full stop, unless the name at its end ends in a mark: 'Super Mario Bros.', or a name that was cut by
 * '…'.
 */
export const sentence = (words: string) => (/[.…!?]$/.test(words) ? words : `${words}.`);
