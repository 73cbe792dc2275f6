import { CODE_MS, MAX_BROWSERS } from '@goty/shared/desk-protocol';
import { SEED } from '@goty/shared/testing/seed';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DeskKeys, NO_KEYS } from '../votes/vote-store.ts';
import {
  DeskFullError,
  deviceIdOf,
  hashOf,
  withCode,
  withDevice,
  withoutDevice,
  withoutEnded,
} from './desk-keys.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const keyOf = (name: string) => hashOf(`key ${name}`);
const codeOf = (name: string) => hashOf(`code ${name}`);

/** A desk in the hands of several people, with a clock. Acts that are refused as full leave it as it was. */
class Desk {
  keys: DeskKeys = NO_KEYS;
  now = 0;
  closesAt = Infinity;

  #change(change: (keys: DeskKeys) => DeskKeys) {
    this.keys = withoutEnded(this.keys, this.now, this.closesAt);
    this.keys = change(this.keys);
  }

  link(code: string, from?: string) {
    const by = from === undefined ? undefined : keyOf(from);
    this.#change((keys) => withCode(keys, codeOf(code), this.now, by));
  }

  enter(name: string, code: string) {
    this.#change((keys) => withDevice(keys, codeOf(code), keyOf(name), this.now));
  }

  revoke(name: string) {
    this.#change((keys) => withoutDevice(keys, deviceIdOf(keyOf(name))));
  }

  isIn(name: string): boolean {
    const { devices } = withoutEnded(this.keys, this.now, this.closesAt);
    return devices.some(({ hash }) => hash === keyOf(name));
  }
}

test('D11 a code that was used lives again by no late copy of its invitation, whoever has ended meanwhile', () => {
  const desk = new Desk();
  desk.link('first');
  desk.enter('operator', 'first');
  desk.link('second', 'operator');
  desk.enter('helper', 'second');
  desk.revoke('helper');
  desk.link('second', 'operator');
  desk.enter('stranger', 'second');
  expect(desk.isIn('stranger')).toBe(false);
});

test('D11 no code lives again that has ended with its inviter, who has come back with the same key', () => {
  const desk = new Desk();
  desk.link('first');
  desk.enter('helper', 'first');
  desk.link('second', 'helper');
  desk.revoke('helper');
  desk.link('third');
  desk.enter('helper', 'third');
  desk.link('second', 'helper');
  desk.enter('stranger', 'second');
  expect(desk.isIn('stranger')).toBe(false);
});

test('D2 who invites the own browser again and again is out after seven days', () => {
  const desk = new Desk();
  desk.link('0');
  desk.enter('me 0', '0');
  for (let day = 1; day < 7; day += 1) {
    desk.now = day * DAY;
    desk.link(`${day}`, `me ${day - 1}`);
    desk.enter(`me ${day}`, `${day}`);
    // Once with a new key, once with its own.
    desk.link(`${day} again`, `me ${day}`);
    desk.enter(`me ${day}`, `${day} again`);
  }
  desk.now = 7 * DAY - 1;
  expect(desk.isIn('me 6')).toBe(true);
  desk.now = 7 * DAY;
  expect(desk.isIn('me 6')).toBe(false);
});

test('D2 an invited browser ends 24 h after the close, as its inviter does, also if it came after that', () => {
  const desk = new Desk();
  desk.link('first');
  desk.enter('operator', 'first');
  desk.closesAt = MINUTE;
  desk.now = DAY;
  desk.link('second', 'operator');
  desk.enter('helper', 'second');
  expect(desk.isIn('helper')).toBe(true);
  desk.now = DAY + MINUTE;
  expect(desk.isIn('helper')).toBe(false);
});

test('D2 a 21st browser is refused, and nobody is let out by it', () => {
  const desk = new Desk();
  for (let at = 0; at <= MAX_BROWSERS; at += 1) desk.link(`${at}`);
  for (let at = 0; at < MAX_BROWSERS; at += 1) desk.enter(`${at}`, `${at}`);
  const full = new DeskFullError('desk-full');
  expect(() => desk.enter('last', `${MAX_BROWSERS}`)).toThrow(full);
  expect(() => desk.link('more')).toThrow(full);
  expect(() => desk.link('more', '0')).toThrow(full);
  expect(desk.isIn('0')).toBe(true);
  // Who is in takes no place, and one that is ended leaves its own.
  desk.enter('0', `${MAX_BROWSERS}`);
  desk.revoke('1');
  desk.link('more', '0');
  desk.enter('last', 'more');
  expect([desk.isIn('last'), desk.isIn('1')]).toEqual([true, false]);
});

test('D1 no link is dropped for another: too many within 15 minutes are refused', () => {
  const desk = new Desk();
  desk.link('first');
  const many = () => {
    for (let at = 0; at < 1_000; at += 1) desk.link(`${at}`);
  };
  expect(many).toThrow(new DeskFullError('too-many-links'));
  desk.enter('operator', 'first');
  expect(desk.isIn('operator')).toBe(true);
  desk.now = CODE_MS;
  desk.link('next');
  desk.enter('helper', 'next');
  expect(desk.isIn('helper')).toBe(true);
});

test('D2 what 1.0.0 has stored is understood', () => {
  const since = DAY;
  const desk = new Desk();
  desk.keys = {
    codes: [
      { hash: codeOf('open'), until: DAY + CODE_MS },
      { hash: codeOf('invited'), until: DAY + CODE_MS, from: keyOf('operator') },
    ],
    devices: [
      { hash: keyOf('operator'), since },
      { hash: keyOf('helper'), since, code: codeOf('used') },
    ],
  };
  desk.now = DAY;
  desk.link('used', 'operator');
  desk.enter('stranger', 'used');
  desk.enter('one', 'open');
  desk.now = DAY + MINUTE;
  desk.enter('two', 'invited');
  const all = ['operator', 'helper', 'one', 'two', 'stranger'];
  expect(all.filter((name) => desk.isIn(name))).toEqual(['operator', 'helper', 'one', 'two']);
  desk.now = 8 * DAY;
  expect(all.filter((name) => desk.isIn(name))).toEqual([]);
});

/** What the promises say of a desk, without hashes and lists. */
class Promised {
  readonly codes = new Map<string, { by: string | undefined; until: number; isOver: boolean }>();
  readonly browsers = new Map<string, { root: number; code: string }>();
  now = 0;
  closesAt = Infinity;

  get isFull(): boolean {
    return this.browsers.size >= MAX_BROWSERS;
  }

  endWhatIsOver() {
    for (const [name, { root }] of this.browsers) {
      const end = Math.min(Math.max(this.closesAt, root) + DAY, root + 7 * DAY);
      if (end <= this.now) this.browsers.delete(name);
    }
  }

  link(code: string, by?: string) {
    const { until = 0 } = this.codes.get(code) ?? {};
    const isKnown =
      until > this.now || [...this.browsers.values()].some((one) => one.code === code);
    const isOut = by !== undefined && !this.browsers.has(by);
    if (isKnown || isOut || this.isFull) return;
    this.codes.set(code, { by, until: this.now + CODE_MS, isOver: false });
  }

  enter(name: string, code: string) {
    const link = this.codes.get(code);
    if (!link || link.isOver || link.until <= this.now) return;
    const inviter = link.by === undefined ? { root: this.now } : this.browsers.get(link.by);
    if (!inviter || (this.isFull && !this.browsers.has(name))) return;
    this.browsers.set(name, { root: inviter.root, code });
    link.isOver = true;
  }

  revoke(name: string) {
    if (!this.browsers.delete(name)) return;
    for (const link of this.codes.values()) if (link.by === name) link.isOver = true;
  }
}

/** Mostly a few, whose acts meet; else as many as fill a desk. */
const name = fc.oneof(fc.nat(3), fc.nat(22)).map(String);
const code = fc.oneof(fc.nat(5), fc.nat(26)).map(String);
const MOVES = fc.oneof(
  fc.tuple(fc.constant('link' as const), code, fc.option(name, { nil: undefined })),
  { weight: 3, arbitrary: fc.tuple(fc.constant('enter' as const), name, code) },
  fc.tuple(fc.constant('revoke' as const), name),
  fc.tuple(fc.constant('wait' as const), fc.constantFrom(1, MINUTE, CODE_MS, DAY / 2, 3 * DAY)),
  fc.tuple(fc.constant('close' as const), fc.constantFrom(-DAY, 0, DAY, Infinity)),
);

test('D1 D2 D11 whoever invites, enters, ends and waits, those are in whom the promises let in', () => {
  // Whole evenings at full desks, and weeks.
  const all = fc.array(MOVES, { minLength: 20, maxLength: 150, size: 'max' });
  fc.assert(
    fc.property(all, (moves) => {
      const desk = new Desk();
      const promised = new Promised();
      for (const move of moves) {
        promised.endWhatIsOver();
        if (move[0] === 'wait') {
          desk.now += move[1];
          promised.now = desk.now;
        } else if (move[0] === 'close') {
          // As `setTimes` does it: what has ended does not come back.
          desk.keys = withoutEnded(desk.keys, desk.now, desk.closesAt);
          desk.closesAt = desk.now + move[1];
          promised.closesAt = desk.closesAt;
        } else {
          for (const one of [desk, promised]) doMove(one, move);
        }
        promised.endWhatIsOver();
        const names = Array.from({ length: 23 }, (_, at) => `${at}`);
        const inside = names.filter((each) => desk.isIn(each));
        expect(inside).toEqual(names.filter((each) => promised.browsers.has(each)));
      }
    }),
    { seed: SEED, numRuns: 200 },
  );
});

type Move = typeof MOVES extends fc.Arbitrary<infer Made> ? Made : never;

function doMove(
  desk: Desk | Promised,
  move: Exclude<Move, readonly ['wait' | 'close', ...unknown[]]>,
) {
  try {
    if (move[0] === 'link') desk.link(move[1], move[2]);
    if (move[0] === 'enter') desk.enter(move[1], move[2]);
    if (move[0] === 'revoke') desk.revoke(move[1]);
  } catch (error) {
    expect(error).toEqual(new DeskFullError('desk-full'));
  }
}
