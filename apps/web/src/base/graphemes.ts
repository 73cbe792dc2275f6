import { LANGUAGE } from '@goty/shared/protocol';

/** Returns the letters of a text as readers see them: no letter is separated from its accents, and no emoji is halved. */
export function graphemesOf(text: string): string[] {
  // Firefox has had `Segmenter` only since 125. Without it, the text is divided into code points.
  const { Segmenter }: Partial<typeof Intl> = Intl;
  if (!Segmenter) return [...text];
  return [...new Segmenter(LANGUAGE).segment(text)].map(({ segment }) => segment);
}
