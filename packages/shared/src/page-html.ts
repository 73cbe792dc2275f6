import { FIRST_COVERS } from './protocol.ts';

/** The values of `data-live` on `<html>`: where the page gets its live results from. */
export const LIVE_MARKS = { eventStream: 'event-stream', firestore: 'firestore' } as const;

/** The values of the slots that the build leaves open for a home to fill. */
export interface HomeSlots {
  readonly live: (typeof LIVE_MARKS)[keyof typeof LIVE_MARKS];
  /** `data-firestore`: `host:port` of an emulator that is not at FIRESTORE_EMULATOR, else empty. */
  readonly firestore: string;
  /** The origin of the link preview's image, as in `https://host`, or empty. */
  readonly origin: string;
  /** The HTML of the first covers. Pages without cover slots ignore it. */
  readonly covers: readonly string[];
}

/** The names of the slots that are open on every built page. */
export const HOME_SLOTS = ['live', 'firestore', 'origin'] as const;

/** The names of the slots for the first covers, in order. */
export const COVER_SLOTS = Array.from({ length: FIRST_COVERS }, (_, index) => `cover-${index}`);

const SLOT = /\{\{([\w-]+)\}\}/g;

/** Returns the placeholder of a slot, as it is written in a template. */
export function slot(name: string): string {
  return `{{${name}}}`;
}

/**
 * Fills the slots of a template.
 *
 * @param values HTML by slot name, inserted verbatim: escape it first
 * @param open the names of the slots to leave unfilled
 * @returns the template with every occurrence of a slot in `values` replaced
 * @throws if a slot is neither in `values` nor in `open`, or a name in either has no slot
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
  const unfilled = [...found].find((name) => !known.includes(name));
  if (unfilled !== undefined) throw new Error(`no value for the slot ${slot(unfilled)}`);
  return template.replaceAll(SLOT, (placeholder, name) => values[name] ?? placeholder);
}

/**
 * Fills the slots that the build left open. Cover slots without a cover become empty.
 *
 * @throws if another slot has no value, or a value has no slot
 */
export function fillHomeSlots(html: string, { covers, ...home }: HomeSlots): string {
  const found = slotsOf(html);
  const coverSlots = COVER_SLOTS.filter((name) => found.includes(name));
  const images = Object.fromEntries(coverSlots.map((name, index) => [name, covers[index] ?? '']));
  return fillSlots(html, { ...home, ...images });
}

/** Whether a template has places for the first covers. */
export function hasCoverSlots(template: string): boolean {
  return slotsOf(template).some((name) => COVER_SLOTS.includes(name));
}

function slotsOf(template: string): string[] {
  return [...template.matchAll(SLOT)].map(([, name = '']) => name);
}
