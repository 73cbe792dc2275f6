import { expect, test } from 'vitest';
import { unknownVariables } from './unknown-variables.ts';

test.each(['VOTE_POLCY', 'VOTEPOLICY', 'vote_policy', 'VOTE_POLICE'])(
  'P2 %s is named, with the variable that was probably meant',
  (name) => {
    expect(unknownVariables({ [name]: 'x' })).toEqual([
      `${name} is not a variable of GOTY: is it VOTE_POLICY?`,
    ]);
  },
);

test('P2 our variables and those of others are not named', () => {
  const names = ['VOTE_POLICY', 'PORT', 'HOST', 'POSIX', 'PATH', 'DATABASE_URL', 'HOSTNAME'];
  expect(unknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
});
