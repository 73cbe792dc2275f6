import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';

/** How long the stage waits for its typeface, in milliseconds. On a line that is slower, the stage has the system's typeface. */
const TYPEFACE_WAIT_MS = 1_500;

/**
 * A video mixer, and many a machine behind a projector, has no typeface for large type. The other screens have the system's,
 * which costs visitors nothing. Once the wait is over, no typeface changes what the stage shows. Never rejects.
 */
export async function loadTypeface() {
  // Some engines, such as that of the tests, have no fonts to load.
  const { fonts }: Partial<Document> = document;
  if (!fonts) return;
  const face = new FontFace('Figtree', `url(${figtree})`, { weight: '300 900' });
  const isLate = new Promise<undefined>((resolve) => setTimeout(resolve, TYPEFACE_WAIT_MS));
  const loaded = await Promise.race([face.load().catch(() => undefined), isLate]);
  if (loaded) fonts.add(loaded);
}
