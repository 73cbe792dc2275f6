import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { DESK_NAME } from '@goty/shared/protocol';
import { changeDeskKeys } from './acts.ts';
import type { DeskKeys, VoteStore } from './vote-store.ts';

const CODE_MS = 15 * 60_000;
const AFTER_CLOSE_MS = 24 * 60 * 60_000;
/** At most so many codes, and so many devices, are kept: the oldest are dropped. */
const MAX_ENTRIES = 20;

/** Makes a link to the operator's desk for one browser, valid for 15 minutes. */
export async function makeDeskLink(store: VoteStore, origin: string): Promise<string> {
  const code = randomBytes(16).toString('base64url');
  const add = ({ codes, devices }: DeskKeys, now: number) => ({
    codes: [{ hash: hashOf(code), until: now + CODE_MS }, ...codes].slice(0, MAX_ENTRIES),
    devices,
  });
  await store.change(changeDeskKeys(add));
  return `${origin}/inicio#${DESK_NAME}=${code}`;
}

/** Turns a code into a device. Returns the same keys if there is no such code any more. A device may use another code. */
export function withDevice(keys: DeskKeys, code: string, device: string, now: number): DeskKeys {
  const isValid = includesHash(
    keys.codes.filter(({ until }) => until > now),
    code,
  );
  const codes = keys.codes.filter(({ hash }) => hash !== code);
  const others = keys.devices.filter(({ hash }) => hash !== device);
  const devices = [{ hash: device, since: now }, ...others].slice(0, MAX_ENTRIES);
  return isValid ? { codes, devices } : keys;
}

/** The devices that have not ended: that is 24 h after the close or, if they came later, after they came. */
export function activeDevices(now: number, { devices }: DeskKeys, closesAt = Infinity) {
  return devices.filter(({ since }) => Math.max(closesAt, since) + AFTER_CLOSE_MS > now);
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Each comparison takes the same time, so that it tells nothing of the stored hashes. */
export function includesHash(entries: readonly { readonly hash: string }[], hash: string): boolean {
  return entries.some((entry) => timingSafeEqual(Buffer.from(entry.hash), Buffer.from(hash)));
}
