/** Ends a sentence, unless the name at its end has done so: 'Super Mario Bros.', or one that was cut. */
export const sentence = (words: string) => (/[.…!?]$/.test(words) ? words : `${words}.`);
