/**
 * What became of an attempt to share: the share sheet took the address, it was copied, the visitor
 * cancelled, or it was impossible because the browser allows neither on plain HTTP.
 */
export type ShareOutcome = 'shared' | 'copied' | 'cancelled' | 'impossible';

/** The address of a screen, to be shared. */
export function screenUrl(path: '/inicio' | '/goty'): string {
  return new URL(path, window.location.href).href;
}

/**
 * Shares a screen with a sentence about it: by the system's share sheet if there is one,
 * else by the clipboard. Must be called while a press is handled. Never rejects.
 */
export async function share(text: string, url: string): Promise<ShareOutcome> {
  // Not in every browser, and only on HTTPS.
  const { share: sheet, clipboard }: Partial<Navigator> = navigator;
  if (sheet) {
    try {
      await sheet.call(navigator, { text, url });
      return 'shared';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
    }
  }
  try {
    await clipboard?.writeText(`${text} ${url}`);
    return clipboard ? 'copied' : 'impossible';
  } catch {
    return 'impossible';
  }
}
