import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Act } from '@goty/shared/act';
import { CODE_MS } from '@goty/shared/desk-protocol';
import { DESK_NAME } from '@goty/shared/protocol';
import type { Decide, DeskKeys, VoteStore } from '../votes/vote-store.ts';

const AFTER_CLOSE_MS = 24 * 60 * 60_000;
/** A phone that was lent, lost or sold must not run a vote for ever, also one that never closes. */
const MAX_DEVICE_MS = 7 * AFTER_CLOSE_MS;
/** At most so many codes, and so many devices, are kept: the oldest are dropped. */
const MAX_ENTRIES = 20;

/** Changes what is left of the keys, and notes that: whatever has ended is removed with each change. */
export function changeDeskKeys(
  change: (keys: DeskKeys, now: number) => DeskKeys,
  note?: (now: number) => readonly Act[],
): Decide {
  return ({ keys, times }, now) => {
    const active = withoutEnded(keys, now, times.closesAt);
    const after = change(active, now);
    const acts = after === active ? undefined : note?.(now);
    return after === keys ? {} : { keys: after, ...(acts && { acts }) };
  };
}

/** Makes a link to the operator's desk for one browser, valid for 15 minutes. */
export async function makeDeskLink(store: VoteStore, origin: string): Promise<string> {
  const code = randomBytes(16).toString('base64url');
  await store.change(changeDeskKeys((keys, now) => withCode(keys, hashOf(code), now)));
  return `${origin}/inicio#${DESK_NAME}=${code}`;
}

/**
 * Adds a code. Returns the same keys if it is there or was used: a request that arrives late again brings none back.
 *
 * @param from the device that invites, if one does; a device that has ended invites nobody
 */
export function withCode(keys: DeskKeys, code: string, now: number, from?: string): DeskKeys {
  const isUsed = keys.devices.some((device) => device.code === code);
  const isEnded = from !== undefined && !includesHash(keys.devices, from);
  if (isUsed || isEnded || includesHash(keys.codes, code)) return keys;
  const added = { hash: code, until: now + CODE_MS, ...(from && { from }) };
  return { ...keys, codes: [added, ...keys.codes].slice(0, MAX_ENTRIES) };
}

/** Turns a code into a device. Returns the same keys if there is no such code any more. A device may use another code. */
export function withDevice(keys: DeskKeys, code: string, device: string, now: number): DeskKeys {
  const codes = keys.codes.filter(({ hash }) => hash !== code);
  const otherDevices = keys.devices.filter(({ hash }) => hash !== device);
  const devices = [{ hash: device, since: now, code }, ...otherDevices].slice(0, MAX_ENTRIES);
  return includesHash(keys.codes, code) ? { codes, devices } : keys;
}

/** Ends the device of that id, and its invitations. Returns the same keys if there is none. */
export function withoutDevice(keys: DeskKeys, id: string): DeskKeys {
  const devices = keys.devices.filter(({ hash }) => deviceIdOf(hash) !== id);
  const codes = keys.codes.filter(({ from = '' }) => deviceIdOf(from) !== id);
  return devices.length === keys.devices.length ? keys : { codes, devices };
}

/**
 * The keys without what has ended; the same object if nothing has. A device ends 24 h after the close or, if it came later,
 * after it came, and 7 days after it came in any case. To be stored before the times change, because later times would
 * bring ended devices back.
 */
export function withoutEnded(keys: DeskKeys, now: number, closesAt = Infinity): DeskKeys {
  const codes = keys.codes.filter(({ until }) => until > now);
  const devices = keys.devices.filter(
    ({ since }) =>
      Math.min(Math.max(closesAt, since) + AFTER_CLOSE_MS, since + MAX_DEVICE_MS) > now,
  );
  const isSame = codes.length === keys.codes.length && devices.length === keys.devices.length;
  return isSame ? keys : { codes, devices };
}

/** What names a device: a part of the hash of its key. Nobody finds a key of 256 random bits by that. */
export function deviceIdOf(hash: string): string {
  return hash.slice(0, 16);
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Each comparison takes the same time, so that it tells nothing of the stored hashes. */
export function includesHash(entries: readonly { readonly hash: string }[], hash: string): boolean {
  return entries.some((entry) => timingSafeEqual(Buffer.from(entry.hash), Buffer.from(hash)));
}
