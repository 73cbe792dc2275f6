import { isLoopback, SITE_NAME } from '@goty/shared/protocol';
import { shareButtonTexts } from '@goty/shared/result-texts';

/** Returns an address by which others open a screen, as the home has written it into the HTML; `undefined` if there is none. */
export function screenUrl(path: '/inicio' | '/goty'): string | undefined {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  const url = new URL(path, canonical?.href);
  return isLoopback(url.hostname) ? undefined : url.href;
}

/** The home that serves the page writes the name into the HTML. Returns `undefined` without a name. */
export function eventName(): string | undefined {
  const site = document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content;
  return site === SITE_NAME ? undefined : site || undefined;
}

/** Returns the event's own colour, as in '#e4002b', which the home has written into the HTML, too; `undefined` if it has none. */
export function eventColor(): string | undefined {
  return document.documentElement.dataset.color || undefined;
}

const withEvent = (sentence: string) => [eventName(), sentence].filter(Boolean).join(' · ');

/**
 * Must be called while a press is handled. Never rejects.
 *
 * @returns what to tell the visitor: '' after the share sheet, that the address was copied, or the address if neither is possible
 */
export async function share(sentence: string, url: string): Promise<string> {
  const text = withEvent(sentence);
  // Not every browser has the share sheet and the clipboard, and none has them on plain HTTP.
  const { share: sheet, clipboard }: Partial<Navigator> = navigator;
  if (sheet) {
    try {
      await sheet.call(navigator, { text, url });
      return '';
    } catch (error) {
      // If the visitor has closed the share sheet, nothing is copied either.
      if (error instanceof DOMException && error.name === 'AbortError') return '';
    }
  }
  try {
    await clipboard?.writeText(`${text} ${url}`);
    return clipboard ? shareButtonTexts.copied : shareButtonTexts.copyThis(url);
  } catch {
    return shareButtonTexts.copyThis(url);
  }
}
