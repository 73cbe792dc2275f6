/** A name at the end may end in a mark already: 'Super Mario Bros.', or a name that was cut by '…'. */
export const sentence = (words: string) => (/[.…!?]$/.test(words) ? words : `${words}.`);
