import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test } from 'vitest';
import type { Ballot } from '../src/votes/vote-store.ts';
import { testFolder } from '../testing/folder.ts';
import { openStandalone, openVote } from '../testing/operator-homes.ts';
import { checkVoteFile } from './read-vote-file.ts';
import { writeVoteFile } from './write-vote-file.ts';

const VOTE = { nominees: [buildNominee({ id: 'a' })], opensAt: undefined, closesAt: undefined };

/** Ballots with these ids. Before the last one, `wait` is called. */
async function* ballots(ids: string[], wait = async () => {}): AsyncGenerator<Ballot> {
  for (const id of ids) {
    if (id === ids.at(-1)) await wait();
    yield { id, game: 'a', at: 5 };
  }
}

const write = (path: string, written: AsyncIterable<Ballot>) =>
  writeVoteFile(path, VOTE, written, () => {});

test('O13 of two that write the same file at once, one is refused, and the other says what is in it', async () => {
  const path = join(testFolder(), 'vote.ndjson');
  const first = write(
    path,
    // The second one begins and ends while the first is still writing.
    ballots(['1', '2'], async () => {
      await expect(write(path, ballots([]))).rejects.toThrow(
        /^[^\n]*vote\.ndjson\.part exists: [^\n]*$/,
      );
    }),
  );
  expect(await first).toBe(2);
  expect(await checkVoteFile(path)).toMatchObject({ ballots: 2 });
});

test('O13 a file that appears meanwhile is not replaced', async () => {
  const path = join(testFolder(), 'vote.ndjson');
  const interrupted = ballots(['1'], async () => writeFileSync(path, 'of somebody else'));
  await expect(write(path, interrupted)).rejects.toThrow(`${path} exists: name another file.`);
  expect(readFileSync(path, 'utf8')).toBe('of somebody else');
  expect(existsSync(`${path}.part`)).toBe(false);
});

test('O13 a file that does not have what was written into it is not called written', async () => {
  const path = join(testFolder(), 'vote.ndjson');
  const ids = Array.from({ length: 2_500 }, (_, index) => `key-${index}`);
  const damaged = ballots(ids, async () => writeFileSync(`${path}.part`, 'x'));
  await expect(write(path, damaged)).rejects.toThrow(/cannot be used/);
  expect(existsSync(path)).toBe(false);
});

test('O6 a name with a separator of lines, which is no end of a line in JSON, can be read again', async () => {
  const path = join(testFolder(), 'vote.ndjson');
  const nominees = [buildNominee({ id: 'a', name: 'Uno\u2028Dos\u2029Tres' })];
  await writeVoteFile(path, { ...VOTE, nominees }, ballots([]), () => {});
  expect(await checkVoteFile(path)).toMatchObject({ nominees });
});

test('O13 a reset whose file another command is writing removes nothing', async () => {
  const { folder, goty, use } = await openVote(openStandalone);
  await goty('nominees', 'set', 'n.csv');
  await use((store) => store.commit([{ id: '1', game: 'a', at: 5 }]));
  writeFileSync(join(folder, 'old.ndjson.part'), '');
  expect((await goty('reset', 'old.ndjson', '--yes')).status).toBe(1);
  expect(await use((store) => store.recount())).toMatchObject([{ ballots: 1 }, {}]);
});
