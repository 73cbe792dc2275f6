import { expect, test } from 'vitest';
import { formatVotingCode, readVotingCode } from './voting-code.ts';

const CODE = '0A1B2C3D4E5F6G7H';

test.each([
  '0A1B-2C3D-4E5F-6G7H',
  ' oalb 2c3d 4e5f 6g7h\n',
  'OAIB2C3D4E5F6G7H',
  '0A1B–2C3D–4E5F–6G7H.',
  'https://vote.example/goty#codigo=0A1B-2C3D-4E5F-6G7H',
  'https://vote.example/goty?a=1#codigo=0A1B-2C3D-4E5F-6G7H&utm_source=qr',
])('V17 a code is read as it is typed: %j', (text) => {
  expect(readVotingCode(text)).toBe(CODE);
});

test.each([
  '',
  '0A1B-2C3D-4E5F-6G7',
  '0A1B-2C3D-4E5F-6G7HH',
  'UUUU-2C3D-4E5F-6G7H',
  'https://vote.example/goty',
])('V17 what has another length, or a letter that no code has, is none: %j', (text) => {
  expect(readVotingCode(text)).toBeUndefined();
});

test('V17 a code is printed in groups of four', () => {
  expect(formatVotingCode(CODE)).toBe('0A1B-2C3D-4E5F-6G7H');
});
