import { isLoopback } from '@goty/shared/loopback';

/**
 * What became of an attempt to share: the share sheet took the address, it was copied, the visitor
 * cancelled, or it was impossible because the browser allows neither on plain HTTP.
 */
export type ShareOutcome = 'shared' | 'copied' | 'cancelled' | 'impossible';

/**
 * The address of a screen, to be shared. The home that serves the page has written it into the HTML.
 *
 * @returns `undefined` if only this machine could open it
 */
export function screenUrl(path: '/inicio' | '/goty'): string | undefined {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  const url = new URL(path, canonical?.href);
  return isLoopback(url.hostname) ? undefined : url.href;
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
