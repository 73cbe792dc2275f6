/** Ends words with a full stop, unless they end in a mark already, as with 'Super Mario Bros.', or a name that was cut by '…'. */
export const sentence = (words: string) => (/[.…!?]$/.test(words) ? words : `${words}.`);
