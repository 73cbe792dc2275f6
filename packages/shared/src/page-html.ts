import { FIRST_COVERS } from './protocol.ts';

/** Where the page gets its live results: `data-live` on its `<html>` says so. */
export const LIVE_MARKS = { eventStream: 'event-stream', firestore: 'firestore' } as const;

/** The slots that only a home can fill. The build leaves them open. */
export interface HomeSlots {
  readonly live: (typeof LIVE_MARKS)[keyof typeof LIVE_MARKS];
  /** `host:port` of a Firestore emulator in an unusual place, else empty. It is `data-firestore`. */
  readonly firestore: string;
  /** `https://host` for the image of link previews, or empty. */
  readonly origin: string;
  /** The first covers as HTML, for a page that has places for them. */
  readonly covers: readonly string[];
}

/** The names of the slots that every page has open after the build. */
export const HOME_SLOTS = ['live', 'firestore', 'origin'] as const;

/** The names of the slots for the first covers. */
export const COVER_SLOTS = Array.from({ length: FIRST_COVERS }, (_, index) => `cover-${index}`);

const SLOT = /\{\{([\w-]+)\}\}/g;

/** The slot of that name, as a template has it. */
export function slot(name: string): string {
  return `{{${name}}}`;
}

/**
 * Fills the slots of a template. The values are inserted as they are: escape them first.
 *
 * @param open the slots that stay for somebody else to fill
 * @throws for a slot that is neither filled nor left open, and for a name that has no slot
 */
export function fillSlots(
  template: string,
  values: Readonly<Record<string, string>>,
  open: readonly string[] = [],
): string {
  const known = [...Object.keys(values), ...open];
  const found = new Set(slotsOf(template));
  const missing = known.find((name) => !found.has(name));
  if (missing !== undefined) throw new Error(`the HTML has no slot ${slot(missing)}`);
  const left = [...found].find((name) => !known.includes(name));
  if (left !== undefined) throw new Error(`nothing fills the slot ${slot(left)}`);
  return template.replaceAll(SLOT, (whole, name) => values[name] ?? whole);
}

/** Fills what the build left open, for the home that serves the page. */
export function fillHomeSlots(html: string, { covers, ...home }: HomeSlots): string {
  const found = slotsOf(html);
  const places = COVER_SLOTS.filter((name) => found.includes(name));
  const images = Object.fromEntries(places.map((name, index) => [name, covers[index] ?? '']));
  return fillSlots(html, { ...home, ...images });
}

function slotsOf(template: string): string[] {
  return [...template.matchAll(SLOT)].map(([, name = '']) => name);
}
