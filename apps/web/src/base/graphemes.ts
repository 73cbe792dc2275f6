import { LANGUAGE } from '@goty/shared/protocol';

/** The letters of a text as readers see them: none comes apart from its accents, nor half of an emoji. */
export function graphemesOf(text: string): string[] {
  // Firefox has it since 125.
  const { Segmenter }: Partial<typeof Intl> = Intl;
  if (!Segmenter) return [...text];
  return [...new Segmenter(LANGUAGE).segment(text)].map(({ segment }) => segment);
}
