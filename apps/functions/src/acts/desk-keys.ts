import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Act } from '@goty/shared/act';
import { CODE_MS, MAX_BROWSERS } from '@goty/shared/desk-protocol';
import { DESK_NAME } from '@goty/shared/protocol';
import type { Decide, DeskKeys, VoteStore } from '../votes/vote-store.ts';

const AFTER_CLOSE_MS = 24 * 60 * 60_000;
/** In milliseconds: a phone that was lent, lost or sold must not run a vote for ever, not even a vote that never closes. */
const MAX_DEVICE_MS = 7 * AFTER_CLOSE_MS;
/** Nobody makes more links in the 15 minutes of a link. A used code is kept for so long, so that it cannot be valid again. */
const MAX_CODES = 100;

const FULL_TEXTS = {
  'desk-full': `${MAX_BROWSERS} browsers may run the vote already: end one of them at the desk, or all with \`goty desk --off\`.`,
  'too-many-links': `${MAX_CODES} links were made within 15 minutes: wait, or end all with \`goty desk --off\`.`,
};

/** No browser or link fits any more. No older one is dropped, because nobody who lets others in may lose their own place. */
export class DeskFullError extends Error {
  override name = 'DeskFullError';
  readonly code: keyof typeof FULL_TEXTS;

  constructor(code: DeskFullError['code']) {
    super(FULL_TEXTS[code]);
    this.code = code;
  }
}

/** Each change also removes keys that have ended. Without `makeActs`, no act is added to the record. */
export function changeDeskKeys(
  change: (keys: DeskKeys, now: number) => DeskKeys,
  makeActs?: (now: number) => readonly Act[],
): Decide {
  return ({ keys, times }, now) => {
    const active = withoutEnded(keys, now, times.closesAt);
    const after = change(active, now);
    const acts = after === active ? undefined : makeActs?.(now);
    return after === keys ? {} : { keys: after, ...(acts && { acts }) };
  };
}

/** @throws DeskFullError */
export async function makeDeskLink(store: VoteStore, origin: string): Promise<string> {
  const code = randomBytes(16).toString('base64url');
  await store.change(changeDeskKeys((keys, now) => withCode(keys, hashOf(code), now)));
  return `${origin}/inicio#${DESK_NAME}=${code}`;
}

/**
 * Adds the code of a link. Returns the same keys if the code is there or was used, because a late copy of the request must not
 * make it valid again, or if the inviter, the device `from`, has ended.
 *
 * @throws DeskFullError
 */
export function withCode(keys: DeskKeys, codeHash: string, now: number, from?: string): DeskKeys {
  const isUsed = keys.devices.some((device) => device.code === codeHash);
  const isEnded = from !== undefined && !includesHash(keys.devices, from);
  if (isUsed || isEnded || includesHash(keys.codes, codeHash)) return keys;
  if (keys.devices.length >= MAX_BROWSERS) throw new DeskFullError('desk-full');
  if (keys.codes.length >= MAX_CODES) throw new DeskFullError('too-many-links');
  const added = { hash: codeHash, until: now + CODE_MS, ...(from && { from }) };
  return { ...keys, codes: [added, ...keys.codes] };
}

/** Returns the entry of a link's code; `undefined` if it is unknown or used, or if the device that invited with it was ended. */
export function findOpenCode({ codes, devices }: DeskKeys, codeHash: string) {
  const entry = findHash(codes, codeHash);
  if (!entry || entry.isOver) return undefined;
  return entry.from === undefined || includesHash(devices, entry.from) ? entry : undefined;
}

/**
 * Lets in a device with a link's code, and uses the code up. Returns the same keys if the code lets nobody in any more. A device
 * that is in already may use another code.
 *
 * @throws DeskFullError
 */
export function withDevice(
  keys: DeskKeys,
  codeHash: string,
  keyHash: string,
  now: number,
): DeskKeys {
  const invitation = findOpenCode(keys, codeHash);
  if (!invitation) return keys;
  const otherDevices = keys.devices.filter(({ hash }) => hash !== keyHash);
  if (otherDevices.length >= MAX_BROWSERS) throw new DeskFullError('desk-full');
  const inviter = keys.devices.find(({ hash }) => hash === invitation.from);
  const rootSince = inviter?.rootSince ?? inviter?.since;
  const added = {
    hash: keyHash,
    since: now,
    code: codeHash,
    ...(rootSince !== undefined && { rootSince }),
  };
  const codes = keys.codes.map((each) => (each === invitation ? { ...each, isOver: true } : each));
  return { ...keys, codes, devices: [added, ...otherDevices] };
}

/** Ends the device of that id, and its invitations. Returns the same keys if there is no such device. */
export function withoutDevice(keys: DeskKeys, id: string): DeskKeys {
  const devices = keys.devices.filter(({ hash }) => deviceIdOf(hash) !== id);
  if (devices.length === keys.devices.length) return keys;
  const codes = keys.codes.map((each) =>
    deviceIdOf(each.from ?? '') === id ? { ...each, isOver: true } : each,
  );
  return { ...keys, codes, devices };
}

/**
 * A device ends 24 h after the close or its own arrival, whichever is later, and 7 days after its arrival in any case. Store the
 * result before the times change: later times would bring ended devices back. Returns the same keys if none has ended.
 */
export function withoutEnded(keys: DeskKeys, now: number, closesAt = Infinity): DeskKeys {
  const codes = keys.codes.filter(({ until }) => until > now);
  const devices = keys.devices.filter(({ since, rootSince = since }) => {
    const end = Math.max(closesAt, rootSince) + AFTER_CLOSE_MS;
    return Math.min(end, rootSince + MAX_DEVICE_MS) > now;
  });
  const isSame = codes.length === keys.codes.length && devices.length === keys.devices.length;
  return isSame ? keys : { ...keys, codes, devices };
}

/** Returns the id of a device: a part of the hash of its key, from which nobody can find the key's 256 random bits. */
export function deviceIdOf(hash: string): string {
  return hash.slice(0, 16);
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function includesHash(entries: readonly Hashed[], hash: string): boolean {
  return findHash(entries, hash) !== undefined;
}

interface Hashed {
  readonly hash: string;
}

/** Each comparison takes the same time, so that its duration tells nothing of the stored hashes. */
function findHash<Entry extends Hashed>(entries: readonly Entry[], hash: string) {
  return entries.find((entry) => timingSafeEqual(Buffer.from(entry.hash), Buffer.from(hash)));
}
