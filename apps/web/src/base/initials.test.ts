import { expect, test } from 'vitest';
import { COVER_RULES } from '../../build/color-covers.ts';
import { gameColor } from '../results/colors.ts';
import { initialsOf } from './initials.ts';

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

test("W4 W6 the card of a game without a cover has the game's colour in the chart", () => {
  const colors = [...COVER_RULES.matchAll(/nth-child\(15n \+ (\d+)\) \.frame \{ --game: (#\w+);/g)];
  const expected = Array.from({ length: 15 }, (_, at) => [String(at + 1), gameColor(at)]);
  expect(colors.map(([, nth, color]) => [nth, color])).toEqual(expected);
});
