import { LANGUAGE } from '@goty/shared/protocol';

/** The letters of a text as readers see them: no letter is parted from its accents, and no emoji is halved. */
export function graphemesOf(text: string): string[] {
  // Firefox has `Segmenter` since 125.
  const { Segmenter }: Partial<typeof Intl> = Intl;
  if (!Segmenter) return [...text];
  return [...new Segmenter(LANGUAGE).segment(text)].map(({ segment }) => segment);
}
