import { expect, test } from 'vitest';
import { unknownVariables } from './unknown-variables.ts';

test('P2 a misspelt variable is named, with the one that was probably meant', () => {
  for (const name of ['VOTE_POLCY', 'VOTEPOLICY', 'vote_policy', 'VOTE_POLICE']) {
    const told = `${name} is not a variable of GOTY: is it VOTE_POLICY?`;
    expect(unknownVariables({ [name]: 'x' })).toEqual([told]);
  }
});

test('P2 our variables and those of others are not named', () => {
  const names = ['VOTE_POLICY', 'PORT', 'HOST', 'POSIX', 'PATH', 'DATABASE_URL', 'HOSTNAME'];
  expect(unknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});
