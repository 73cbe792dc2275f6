import { expect, test } from 'vitest';
import { buildNominee } from '../testing/nominee.ts';
import {
  colorsOf,
  initialsOf,
  isCoverUrl,
  listRevisionOf,
  rotatedAt,
  rotateTo,
  secondsToTurn,
} from './nominee.ts';

const VALID = ['/covers/a.svg', '/', 'https://example.org/a.png', 'HTTP://example.org'];
const OTHERS = [
  '',
  'covers/a.svg',
  '//evil.example/a.png',
  '/\\evil.example/a.png',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:image/svg+xml,<svg/>',
  'ftp://example.org/a.png',
  'https:///a.png',
  '/\t/evil.example/a.png',
  '/\n/evil.example/a.png',
  '/a\0.png',
  'http://[',
  'http://a b/c.png',
];

test('W6 a cover is a path, or an absolute address of the web', () => {
  expect([...VALID, ...OTHERS].filter(isCoverUrl)).toEqual(VALID);
});

const IDS = ['Z', '_', 'a', 'b-2', 'b_2'];
const LIST = IDS.map((id) => buildNominee({ id }));
const idsOf = (nominees: readonly { id: string }[]) => nominees.map(({ id }) => id).join();

test('N6 in as many minutes as there are nominees, each is the first once, and its neighbours stay', () => {
  const START = Date.UTC(2026, 10, 25, 21, 30);
  const orders = IDS.map((_, minute) => idsOf(rotatedAt(LIST, START + minute * 60_000)));
  expect(orders.map((order) => order.split(',')[0]).sort()).toEqual(IDS.toSorted());
  for (const order of orders) expect(`${IDS},${IDS}`).toContain(order);
  expect(idsOf(rotatedAt(LIST, START + 59_999))).toBe(orders[0]);
  expect(idsOf(rotatedAt(LIST, START + IDS.length * 60_000))).toBe(orders[0]);
  expect(rotatedAt([], START)).toEqual([]);
});

test('N6 F3 a copy of the list is kept until it is turned', () => {
  expect([0, 1, 59_000, 59_001, 59_999, 60_000].map(secondsToTurn)).toEqual([60, 60, 1, 1, 1, 60]);
});

test('N5 N6 a list has one revision, however it is turned, and begins with the next id without its first', () => {
  const revisions = IDS.map((id) => listRevisionOf(rotateTo(LIST, id)));
  expect(new Set(revisions)).toEqual(new Set([listRevisionOf(LIST)]));
  expect(listRevisionOf(LIST.slice(1))).not.toBe(listRevisionOf(LIST));
  expect(idsOf(rotateTo(LIST, 'b'))).toBe('b-2,b_2,Z,_,a');
  expect(idsOf(rotateTo(LIST, 'c'))).toBe(`${IDS}`);
});

test('N6 W4 a nominee has the colour of its place among the ids, wherever it is shown', () => {
  const list = Array.from({ length: 17 }, (_, at) => buildNominee({ id: String(at + 10) }));
  expect(colorsOf(rotateTo(list, '24'))).toEqual([14, 0, 1, ...Array(14).keys()]);
});

test.each([
  ['Clair Obscur: Expedition 33', 'CO'],
  ['Hades II', 'HI'],
  ['élan', 'É'],
  ["Marvel's Spider-Man 2", 'MS'],
  ['1000xRESIST', '1'],
  ['  «¡Pokémon!»', 'P'],
  ['原神', '原'],
  ['🎮', ''],
])('W6 the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
