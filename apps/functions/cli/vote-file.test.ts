import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { readVoteFile } from './vote-file.ts';

const nominees = [buildNominee({ id: 'a' })];

function read(header: object, at = 5) {
  const lines = [header, { id: '1', game: 'a', at }]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
  const sha256 = createHash('sha256').update(lines).digest('hex');
  const path = join(testFolder(), 'vote.ndjson');
  writeFileSync(path, `${lines}${JSON.stringify({ ballots: 1, sha256 })}\n`);
  return readVoteFile(path, 10, () => {});
}

test('O11 a file has the times that are set', async () => {
  expect(await read({ goty: 'vote', version: 1, closesAt: 7, nominees })).toEqual({
    nominees,
    opensAt: undefined,
    closesAt: 7,
    ballots: 1,
  });
});

test.each([
  [{ version: 2 }, /line 1: it comes from another version of GOTY/],
  [{ more: 1 }, /line 1: /],
  [{ closesAt: '7' }, /line 1: /],
  [{ closesAt: 8.64e15 + 1 }, /line 1: /],
  [{ opensAt: -1 }, /line 1: /],
  [{ opensAt: 7, closesAt: 7 }, /line 1: the vote would close before it opens/],
])('O6 a file with %j in its header is refused', async (part, reason) => {
  await expect(read({ goty: 'vote', version: 1, nominees, ...part })).rejects.toThrow(reason);
});

test.each([-1, 1.5, 253_402_300_800_000])('O6 a ballot of the time %d is refused', async (at) => {
  await expect(read({ goty: 'vote', version: 1, nominees }, at)).rejects.toThrow(/line 2: /);
});
