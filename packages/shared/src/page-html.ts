import { faultOfEventColor } from './event-color.ts';
import type { Nominee } from './nominee.ts';
import { isCoverUrl } from './nominee.ts';
import { SITE_NAME } from './protocol.ts';
import { sentence } from './sentence.ts';
import { metadata, PREVIEW_TITLE, REHEARSAL } from './texts.ts';

/** The value of `data-live` on `<html>`: where the page gets its live results from. */
export type LiveMark = 'event-stream' | 'firestore';

/** The values of the slots that the build leaves open for a home to fill. */
interface HomeSlots {
  readonly live: LiveMark;
  /** The origin of the link preview's image, as in `https://host`, or empty. */
  readonly origin: string;
  /** The nominees as goty will show them, if they are known: the HTML preloads the cover of the first. */
  readonly nominees: readonly Pick<Nominee, 'url'>[];
  /** Whether every screen, and the preview of a link, says that nothing is real. */
  readonly isRehearsal?: boolean | undefined;
  readonly eventName?: string | undefined;
  /** The event's own colour, as in '#e4002b'. */
  readonly eventColor?: string | undefined;
  /** What the preview of a link says of the result, in place of words that are true at any time. */
  readonly result?: { readonly title: string; readonly text: string } | undefined;
}

/** What the name of an event may be: a line, short enough for a preview, without characters that reverse the words after them. */
export const EVENT_NAME = /^[^\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]{0,60}$/u;

/** The name of the slot for the link that preloads the first cover. Only the HTML of goty has this slot. */
export const COVER_SLOT = 'cover';

/** What the template of a card has in place of a nominee. No real nominee can have such an id. */
export const CARD_PLACEHOLDER: Nominee = { id: '__id__', name: '__name__', url: '/__url__' };

const SLOT = /\{\{([\w-]+)\}\}/g;

export function slot(name: string): string {
  return `{{${name}}}`;
}

/**
 * @param values HTML by the name of the slot, inserted verbatim: escape it first
 * @throws if a value has no slot
 */
export function fillSlots(template: string, values: Readonly<Record<string, string>>): string {
  const missing = Object.keys(values).find((name) => !template.includes(slot(name)));
  if (missing !== undefined) throw new Error(`the HTML has no slot ${slot(missing)}`);
  return template.replaceAll(SLOT, (placeholder, name) => values[name] ?? placeholder);
}

/** @throws if a slot has no value, or a value has no slot, or the event cannot have that name or colour */
export function fillHomeSlots(html: string, options: HomeSlots): string {
  const { live, origin, nominees, isRehearsal, eventName, eventColor = '', result } = options;
  if (!EVENT_NAME.test(eventName ?? '')) {
    throw new Error('the name of an event is one line of at most 60 characters');
  }
  const fault = faultOfEventColor(eventColor);
  if (fault !== undefined) throw new Error(`the colour of an event ${fault}`);
  const rehearsal = isRehearsal ? REHEARSAL : '';
  const join = (separator: string, ...parts: (string | undefined)[]) =>
    escapeHtml(parts.filter(Boolean).join(separator));
  const values = {
    live,
    origin,
    rehearsal,
    eventColor,
    ...(needsNominees(html) && { cover: coverLink(nominees[0]) }),
    site: escapeHtml(eventName ?? SITE_NAME),
    preview: join(' · ', rehearsal, eventName, result?.title ?? PREVIEW_TITLE),
    previewText: join(' ', eventName && sentence(eventName), result?.text ?? metadata.description),
  };
  const filled = Object.keys(values).map(slot);
  const unfilled = html.match(SLOT)?.find((name) => !filled.includes(name));
  if (unfilled !== undefined) throw new Error(`no value for the slot ${unfilled}`);
  return fillSlots(html, values);
}

/** Whether a template preloads the first cover, and so needs the nominees. */
export function needsNominees(template: string): boolean {
  return template.includes(slot(COVER_SLOT));
}

/** On a phone the first cover is the largest paint. More preloaded covers would delay the scripts. */
function coverLink(nominee: HomeSlots['nominees'][number] | undefined): string {
  if (!nominee || !isCoverUrl(nominee.url)) return '';
  return `<link rel="preload" as="image" href="${escapeHtml(nominee.url)}" fetchpriority="high">`;
}

/** Fills the template of a card with a nominee, whose texts it escapes: see CARD_PLACEHOLDER. */
export function fillCard(html: string, { id, name, url }: Nominee): string {
  const values: Readonly<Record<string, string>> = { __id__: id, __name__: name, '/__url__': url };
  return html.replaceAll(/__id__|__name__|\/__url__/g, (text) => escapeHtml(values[text] ?? text));
}

/** Escapes text for HTML, also for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
