import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOMES, openStandalone, openVote } from '../testing/operator-homes.ts';

test.each(HOMES.filter(({ isMissing }) => !isMissing))(
  'O11 an import into $name brings the times, unless the vote has its own',
  async ({ home }) => {
    const { goty, use } = await openVote(home);
    const times = { opensAt: 5, closesAt: undefined };
    await use((store) => store.setTimes(times));
    goty('export', 'vote.ndjson');
    await use((store) => store.setTimes({ opensAt: undefined, closesAt: undefined }));
    expect(goty('import', 'vote.ndjson').status).toBe(0);
    expect(await use((store) => store.times())).toEqual(times);
    await use((store) => store.setTimes({ opensAt: undefined, closesAt: 7 }));
    expect(goty('import', 'vote.ndjson')).toMatchObject({
      status: 0,
      stderr: 'The vote keeps its own opening and closing times: see `goty status`.\n',
    });
    expect(await use((store) => store.times())).toEqual({ opensAt: undefined, closesAt: 7 });
  },
);

test.each([
  ['cut off', (text: string) => text.split('\n').slice(0, -2).join('\n'), 'its end is missing'],
  ['with a changed ballot', (text: string) => text.replace('"at":5', '"at":6'), 'it was changed'],
  ['with a missing line', (text: string) => text.replace(/\n.*\n/, '\n'), 'it was changed'],
  ['that is none', () => 'hello', 'line 1: '],
  ['with a bad ballot', (text: string) => text.replace('"at":5', '"at":"x"'), 'line 2: '],
])('O6 a vote file %s is refused before anything is written', async (_what, change, why) => {
  const { folder, goty, use } = await openVote(openStandalone);
  goty('nominees', 'set', 'n.csv');
  await use((store) => store.commit(['1', '2'].map((id) => ({ id, game: 'a', at: 5 }))));
  goty('export', 'vote.ndjson');
  const file = join(folder, 'vote.ndjson');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  const target = await openVote(openStandalone);
  const { status, stderr } = target.goty('import', file);
  expect([status, stderr]).toEqual([1, expect.stringContaining(why)]);
  expect(await target.use((store) => store.games())).toEqual([]);
});

test('O6 an import says how many ballots it refused, and why', async () => {
  const { folder, goty, use } = await openVote(openStandalone);
  goty('nominees', 'set', 'n.csv');
  await use((store) => store.commit([{ id: '1', game: 'a', at: 5 }]));
  goty('export', 'vote.ndjson');
  const target = await openVote(openStandalone);
  target.goty('nominees', 'set', 'n.csv');
  await target.use((store) => store.commit([{ id: '1', game: 'b', at: 5 }]));
  expect(target.goty('import', join(folder, 'vote.ndjson'), '--yes')).toMatchObject({
    status: 1,
    stderr: 'Not imported: 1 id stored for another game.\n',
  });
});
