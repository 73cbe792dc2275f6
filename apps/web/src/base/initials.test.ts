import { expect, test } from 'vitest';
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
