import { isId } from '@goty/shared/ids';
import { expect, test } from 'vitest';
import { identifyBallot } from './ballot-policy.ts';

test('V3 without a limit, the key of the press is the ballot', () => {
  expect(identifyBallot('unlimited', 'key-1', 'visitor-1')).toEqual({
    ballotId: 'key-1',
    visitorId: undefined,
  });
});

test('V5 a request without a key gets a ballot of its own', () => {
  const first = identifyBallot('unlimited', undefined, undefined);
  const second = identifyBallot('unlimited', undefined, undefined);
  expect(isId(first.ballotId)).toBe(true);
  expect(first.ballotId).not.toBe(second.ballotId);
});

test('V6 with one vote for each visitor, the visitor is the ballot', () => {
  expect(identifyBallot('one-per-visitor', 'key-1', 'visitor-1')).toEqual({
    ballotId: 'visitor-1',
    visitorId: 'visitor-1',
  });
});

test('V6 a visitor without an id gets the key of the press, so that its retry counts once', () => {
  expect(identifyBallot('one-per-visitor', 'key-1', undefined)).toEqual({
    ballotId: 'key-1',
    visitorId: 'key-1',
  });
});
