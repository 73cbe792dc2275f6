import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { DESK_NAME } from '@goty/shared/protocol';
import type { Decide, DeskKeys, VoteStore } from './vote-store.ts';

const CODE_MS = 15 * 60_000;
const AFTER_CLOSE_MS = 24 * 60 * 60_000;
/** A phone that was lent, lost or sold must not run a vote for ever, also one that never closes. */
const MAX_DEVICE_MS = 7 * AFTER_CLOSE_MS;
/** At most so many codes, and so many devices, are kept: the oldest are dropped. */
const MAX_ENTRIES = 20;

/** Changes what is left of the keys: whatever has ended is removed with each change. */
export function changeDeskKeys(change: (keys: DeskKeys, now: number) => DeskKeys): Decide {
  return ({ keys, times }, now) => {
    const after = change(withoutEnded(keys, now, times.closesAt), now);
    return after === keys ? {} : { keys: after };
  };
}

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
  const codes = keys.codes.filter(({ hash }) => hash !== code);
  const others = keys.devices.filter(({ hash }) => hash !== device);
  const devices = [{ hash: device, since: now }, ...others].slice(0, MAX_ENTRIES);
  return includesHash(keys.codes, code) ? { codes, devices } : keys;
}

/**
 * The devices that have not ended: that is 24 h after the close or, if they came later, after they came, and 7 days
 * after they came in any case.
 */
export function activeDevices(now: number, { devices }: DeskKeys, closesAt = Infinity) {
  return devices.filter(
    ({ since }) =>
      Math.min(Math.max(closesAt, since) + AFTER_CLOSE_MS, since + MAX_DEVICE_MS) > now,
  );
}

/**
 * The keys without what has ended; the same object if nothing has. To be stored before the times change, because later
 * times would bring ended devices back.
 */
export function withoutEnded(keys: DeskKeys, now: number, closesAt: number | undefined): DeskKeys {
  const codes = keys.codes.filter(({ until }) => until > now);
  const devices = activeDevices(now, keys, closesAt);
  const isSame = codes.length === keys.codes.length && devices.length === keys.devices.length;
  return isSame ? keys : { codes, devices };
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Each comparison takes the same time, so that it tells nothing of the stored hashes. */
export function includesHash(entries: readonly { readonly hash: string }[], hash: string): boolean {
  return entries.some((entry) => timingSafeEqual(Buffer.from(entry.hash), Buffer.from(hash)));
}
