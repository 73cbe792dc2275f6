import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { DESK } from '@goty/shared/protocol';
import type { DeskKeys, OperatorStore } from './vote-store.ts';

// Who may use the operator's desk: a browser that came with the code of a link, and has made itself a key.

export const NO_KEYS: DeskKeys = { codes: [], devices: [] };

const CODE_MS = 15 * 60_000;
const AFTER_CLOSE_MS = 24 * 60 * 60_000;
/** Of codes, and of devices: the oldest go. */
const MAX = 20;

/** Makes a link to the desk for one browser, valid for 15 minutes. */
export async function makeDeskLink(store: OperatorStore, origin: string): Promise<string> {
  const code = randomBytes(16).toString('base64url');
  const hash = hashOf(code);
  await store.changeDesk((keys, now) => {
    const codes = keys.codes.filter(({ until }) => until > now);
    return { ...keys, codes: [{ hash, until: now + CODE_MS }, ...codes].slice(0, MAX) };
  });
  return `${origin}/inicio#${DESK}=${code}`;
}

/** Turns a code into a device. Returns the same keys if there is no such code any more. */
export function withDevice(keys: DeskKeys, code: string, device: string, now: number): DeskKeys {
  if (!findHash(keys.codes, code, ({ until }) => until > now)) return keys;
  return {
    codes: keys.codes.filter(({ hash }) => hash !== code),
    devices: [{ hash: device, since: now }, ...keys.devices].slice(0, MAX),
  };
}

/** The devices that have not ended: that is 24 h after the close or, if they came later, after they came. */
export function devicesAt(now: number, { devices }: DeskKeys, closesAt = Infinity) {
  return devices.filter(({ since }) => Math.max(closesAt, since) + AFTER_CLOSE_MS > now);
}

/** Only these sums are stored. The secrets are random, so nobody finds them by trying. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Whether an entry has this hash. How long that takes tells nothing of the others. */
export function findHash<Entry extends { readonly hash: string }>(
  entries: readonly Entry[],
  hash: string,
  isValid: (entry: Entry) => boolean = () => true,
): boolean {
  const wanted = Buffer.from(hash);
  return entries.some(
    (entry) => timingSafeEqual(Buffer.from(entry.hash), wanted) && isValid(entry),
  );
}
