import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { openStandalone, openVote } from '../testing/operator-homes.ts';
import { checkVoteFile } from './read-vote-file.ts';

const nominees = [buildNominee({ id: 'a' })];
const HEADER = { goty: 'vote', version: 1, nominees };

/** A vote file with one ballot. */
function voteFile(header: object = {}, ballot: object = {}): string {
  const lines = [
    { ...HEADER, ...header },
    { id: '1', game: 'a', at: 5, ...ballot },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ ballots: 1, sha256 })}\n`;
}

function read(content: string) {
  const path = join(testFolder(), 'vote.ndjson');
  writeFileSync(path, content);
  return checkVoteFile(path);
}

test.each([
  ['that is cut off', voteFile().split('\n').slice(0, -2).join('\n'), /its end is missing/],
  ['with a changed ballot', voteFile().replace('"at":5', '"at":6'), /it was changed/],
  ['with a missing line', voteFile().replace(/\n.*\n/, '\n'), /it was changed/],
  ['that is none', 'hello', /line 1: /],
  ['of another version', voteFile({ version: 2 }), /line 1: it comes from another version of GOTY/],
  ['with an unknown field', voteFile({ more: 1 }), /line 1: /],
  ['with a time that is none', voteFile({ closesAt: '7' }), /line 1: /],
  ['with a time without a date', voteFile({ closesAt: 8.64e15 + 1 }), /line 1: /],
  ['with a negative time', voteFile({ opensAt: -1 }), /line 1: /],
  ['that closes when it opens', voteFile({ opensAt: 7, closesAt: 7 }), /would close before it/],
  ['with a ballot without a time', voteFile({}, { at: 'x' }), /line 2: /],
  ['with a ballot of a negative time', voteFile({}, { at: -1 }), /line 2: /],
  ['with a ballot of a fraction of a time', voteFile({}, { at: 1.5 }), /line 2: /],
  ['with a ballot after the year 9999', voteFile({}, { at: 253_402_300_800_000 }), /line 2: /],
])('O6 a vote file %s is refused', async (_what, content, reason) => {
  await expect(read(content)).rejects.toThrow(reason);
});

test('O6 nothing of a refused vote file is written', async () => {
  const { folder, goty, use } = await openVote(openStandalone);
  writeFileSync(join(folder, 'vote.ndjson'), voteFile().replace('"at":5', '"at":6'));
  expect(await goty('import', 'vote.ndjson')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('it was changed'),
  });
  expect(await use((store) => store.games())).toEqual([]);
});

test('O6 an import says how many ballots it refused, and why', async () => {
  const { folder, goty, use } = await openVote(openStandalone);
  await goty('nominees', 'set', 'n.csv');
  await use((store) => store.commit([{ id: '1', game: 'b', at: 5 }]));
  writeFileSync(join(folder, 'vote.ndjson'), voteFile());
  expect(await goty('import', 'vote.ndjson', '--yes')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/Not imported: 1 id stored for another game\.\n$/),
  });
});

test('O11 an import brings the times, unless the vote has its own', async () => {
  const { folder, goty, use } = await openVote(openStandalone);
  const timesOf = () => use(async (store) => (await store.state()).times);
  writeFileSync(join(folder, 'vote.ndjson'), voteFile({ opensAt: 5 }));
  expect((await goty('import', 'vote.ndjson')).status).toBe(0);
  expect(await timesOf()).toEqual({ opensAt: 5, closesAt: undefined });
  await use((store) => store.setTimes(() => ({ opensAt: undefined, closesAt: 7 })));
  expect(await goty('import', 'vote.ndjson', '--yes')).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/keeps its own opening and closing times: see `goty status`/),
  });
  expect(await timesOf()).toEqual({ opensAt: undefined, closesAt: 7 });
});
