import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACTS } from '@goty/shared/act';
import { buildNominee } from '@goty/shared/testing/nominee';
import type { VoteTimes } from '@goty/shared/vote-times';
import { describe, expect, test, vi } from 'vitest';
import { changeBallots, setTimes } from '../src/acts/acts.ts';
import type { Ballot } from '../src/votes/ballot.ts';
import type { ActPart } from '../src/votes/vote-store.ts';
import { ballotsOf } from '../src/votes/vote-store-contract.ts';
import { testFolder } from '../testing/folder.ts';
import { HOMES, openStandalone, openVote, run } from '../testing/operator-homes.ts';
import { refusal } from '../testing/process.ts';
import { withTarget } from './target.ts';
import { checkVoteFile, writeVoteFile } from './vote-file.ts';

/** The votes of earlier versions, and how they were made. */
const VOTES = join(import.meta.dirname, '../testing/votes');
const EXPORTS = readdirSync(VOTES).filter((name) => name.endsWith('.ndjson'));

const nominees = [buildNominee({ id: 'a' })];
const HEADER = { goty: 'vote', version: 1, nominees };

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
  ['with an unknown field', voteFile({ more: 1 }), /line 1: /],
  ['with a time that is none', voteFile({ closesAt: '7' }), /line 1: /],
  ['that closes when it opens', voteFile({ opensAt: 7, closesAt: 7 }), /would close before it/],
  ['with a nominee twice', voteFile({ nominees: [...nominees, ...nominees] }), /is listed twice/],
  ['that would control the terminal', '\u001b[31m\u0007', /line 1: [^\p{Cc}]*$/u],
  ['with a line without an end', 'x'.repeat(50_000_001), /line 1: it is too long/],
  ['with a ballot without a time', voteFile({}, { at: 'x' }), /line 2: /],
  ['with a ballot of a negative time', voteFile({}, { at: -1 }), /line 2: /],
  ['with a ballot of a fraction of a time', voteFile({}, { at: 1.5 }), /line 2: /],
  ['with a ballot after the year 9999', voteFile({}, { at: 253_402_300_800_000 }), /line 2: /],
])('O6 a vote file %s is refused', async (_what, content, reason) => {
  await expect(read(content)).rejects.toThrow(reason);
});

test('O20 a vote file of a newer version is refused, whatever else is in it', async () => {
  await expect(read(voteFile({ version: 3, more: 1 }))).rejects.toThrow(
    /line 1: it comes from a newer version of GOTY: update GOTY\.$/,
  );
});

test('O20 there is a file of each version of the export, the present one included', async () => {
  const { done, folder } = await openVote(openStandalone, { a: [] });
  await done('export', 'vote.ndjson');
  const [header = ''] = readFileSync(join(folder, 'vote.ndjson'), 'utf8').split('\n');
  const { version } = JSON.parse(header);
  const versions = Array.from({ length: version }, (_, index) => `export-${index + 1}.ndjson`);
  expect(EXPORTS.toSorted()).toEqual(versions.toSorted());
  for (const name of EXPORTS)
    expect(readFileSync(join(VOTES, name), 'utf8')).toContain(
      `"version":${parseInt(name.slice(7), 10)},`,
    );
});

test.each(EXPORTS)('O20 %s is imported, with all that it had', async (name) => {
  const { done, use } = await openVote(openStandalone);
  await done('import', join(VOTES, name));
  await use(async (store) => {
    const { times } = await store.state();
    expect([times.frozenAt, times.closesAt]).toEqual([expect.any(Number), expect.any(Number)]);
    const record = await store.record();
    expect(record.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['init', 'times', 'void', 'times', 'import']),
    );
    expect(await store.voids()).toMatchObject([
      { act: record.find(({ what }) => what === 'void')?.id, votes: 1 },
    ]);
    const counts = await store.recount();
    expect(counts.map(({ ballots, hidden }) => [ballots, hidden])).toEqual([
      [3, 2],
      [2, 1],
      [2, 0],
    ]);
  });
  await done('reveal', '--yes');
  const votos = await use(async (store) => (await store.games()).map((game) => game.votos));
  expect(votos).toEqual([3, 2, 2]);
});

test('O6 nothing of a refused file is written, nor of what could not be read twice', async () => {
  const { folder, says, use } = await openVote(openStandalone);
  writeFileSync(join(folder, 'vote.ndjson'), voteFile().replace('"at":5', '"at":6'));
  expect(await says('import', 'vote.ndjson')).toMatch(/^1: .*it was changed/);
  for (const path of [folder, join(folder, 'none')]) {
    expect(await says('import', path)).toBe(
      `1: ${path} is no file: import the one that \`goty export\` wrote.\n`,
    );
  }
  expect(await use((store) => store.games())).toEqual([]);
});

test('O6 V14 of a vote that was changed, an import takes the later one, and says how many that were', async () => {
  const { folder, says, use } = await openVote(openStandalone, { a: [], b: [] });
  const cast = (game: string, at: number, replaces?: number) =>
    use((store) => store.commit([{ id: 'x', game, at, replaces }]));
  await cast('a', 5);
  await says('export', 'older.ndjson');
  await cast('b', 7, 5);
  await says('export', 'newer.ndjson');
  expect(await says('import', 'older.ndjson', '--yes')).toMatch(
    /^0: (.*\n)*0 ballots imported, 0 were there already, 1 have been changed since and stay\.\n/,
  );
  await says('reset', 'reset.ndjson', '--yes');
  await says('import', join(folder, 'older.ndjson'), '--yes');
  expect(await says('import', 'newer.ndjson', '--yes')).toContain(
    '0 ballots imported, 0 were there already, 1 were changed.',
  );
  const votes = async () => (await use((store) => store.games())).map(({ votos }) => votos);
  expect(await votes()).toEqual([0, 1]);
  // It was voided after it was changed.
  const own = { id: 'x', game: 'b', at: 7 };
  await use((store) => store.change(changeBallots([own], { voidedBy: 'act' })));
  await says('export', 'voided.ndjson');
  await says('reset', 'all.ndjson', '--yes');
  await says('import', join(folder, 'older.ndjson'), '--yes');
  expect(await votes()).toEqual([1, 0]);
  await says('import', 'voided.ndjson', '--yes');
  expect(await votes()).toEqual([0, 0]);
  expect(await says('audit')).toContain('Beside these, voided: 1.');
});

test('O6 V14 an import takes the later time of a vote for the same game, so that no late copy of a change takes it back', async () => {
  const { done, folder, says, use } = await openVote(openStandalone, { a: [], b: [] });
  const cast = (game: string, at: number, replaces?: number) =>
    use((store) => store.commit([{ id: 'x', game, at, replaces }]));
  await cast('a', 5);
  await done('export', 'older.ndjson');
  await cast('b', 7, 5);
  await cast('a', 9, 7);
  await use((store) =>
    store.change(changeBallots([{ id: 'x', game: 'a', at: 9 }], { voidedBy: 'act' })),
  );
  await done('export', 'newer.ndjson');
  // What the file says of the vote before it was changed says nothing of the one that is there.
  expect(await says('import', 'older.ndjson', '--yes')).toContain(
    '0 ballots imported, 0 were there already, 1 have been changed since and stay.\n',
  );
  await done('reset', 'reset.ndjson', '--yes');
  await done('import', 'older.ndjson', '--yes');
  expect(await says('import', join(folder, 'newer.ndjson'), '--yes')).toContain(
    '0 were there already, 1 were changed. Of the votes that are there already, 1 are now voided',
  );
  expect(await cast('b', 7, 5)).toEqual([{ votedFor: 'a', votedAt: 9 }]);
  expect(await use(ballotsOf)).toEqual([{ id: 'x', game: 'a', at: 9, voided: 'act' }]);
});

test('O6 an import brings the times, unless the vote has its own, or votes', async () => {
  const { done, folder, says, use } = await openVote(openStandalone);
  const timesOf = () =>
    use(async (store) => {
      const { opensAt, closesAt } = (await store.state()).times;
      return { opensAt, closesAt };
    });
  writeFileSync(join(folder, 'vote.ndjson'), voteFile({ opensAt: 5 }));
  await done('import', 'vote.ndjson');
  expect(await timesOf()).toEqual({ opensAt: 5, closesAt: undefined });
  await use((store) =>
    store.change(setTimes((times) => ({ ...times, opensAt: undefined, closesAt: 7 }), 'command')),
  );
  expect(await says('import', 'vote.ndjson', '--yes')).toMatch(
    /^0: (.*\n)*.*keeps its own opening and closing times: see `goty status`/,
  );
  expect(await timesOf()).toEqual({ opensAt: undefined, closesAt: 7 });
  // The file has brought votes. It must not close a vote that is open.
  expect(await says('open')).toMatch(/^0: The vote is open/);
  writeFileSync(join(folder, 'vote.ndjson'), voteFile({ closesAt: 7 }));
  expect(await says('import', 'vote.ndjson', '--yes')).toContain(
    'keeps its own opening and closing',
  );
  expect(await timesOf()).toEqual({});
});

test('O6 an import names the nominees that it adds, and says if it freezes a vote that has its own times', async () => {
  const { folder, says, use } = await openVote(openStandalone, { a: [] });
  await use((store) => store.change(setTimes((times) => ({ ...times, closesAt: 9 }), 'command')));
  const more = [...nominees, buildNominee({ id: 'new', name: 'Nuevo' })];
  writeFileSync(join(folder, 'vote.ndjson'), voteFile({ nominees: more, frozenAt: 7 }));
  const added = 'add     new: Nuevo';
  expect(await says('import', 'vote.ndjson', '--dry-run')).toContain(added);
  const said = await says('import', 'vote.ndjson', '--yes');
  expect(said).toContain(added);
  expect(said).toContain('The vote has the freeze of the file');
  expect(await use(async (store) => (await store.state()).times.frozenAt)).toBe(7);
  expect(await says('import', 'vote.ndjson', '--yes')).not.toMatch(/add |freeze of the file/);
});

test('O6 O16 an import makes a missing database, and no server starts in one that is being made', async () => {
  const { folder } = await openVote(openStandalone);
  const DATABASE = join(folder, 'new', 'goty.sqlite');
  const says = async (...args: string[]) => (await run({ DATABASE }, folder, ...args)).stdout;
  writeFileSync(join(folder, 'vote.ndjson'), voteFile({ closesAt: 7 }));
  expect(await says('import', 'vote.ndjson', '--dry-run')).toContain(
    `The import makes ${DATABASE}.`,
  );
  expect(existsSync(DATABASE)).toBe(false);
  expect(await says('import', 'vote.ndjson')).toBe('1 ballot imported, 0 were there already.\n');
  expect(await says('status')).toMatch(/^The vote is closed\./);
  vi.stubEnv('DATABASE', join(folder, 'other.sqlite'));
  const start = async () =>
    expect(await refusal({ DATABASE: join(folder, 'other.sqlite') })).toMatch(/ is in use by /);
  await withTarget({}, start, true);
});

test('O6 O19 a file from before acts had ids can be imported, and what it voids is voided by the import', async () => {
  const { done, folder, says, use } = await openVote(openStandalone);
  const range = { from: 5, to: 6 };
  const games = Array.from({ length: 500 }, (_, id) => `game-${id}`);
  const record = [
    { at: 1, by: 'desk', what: 'void', votes: 1, games: ['a'], ranges: [range] },
    { at: 2, by: 'command', what: 'nominees', games },
  ];
  writeFileSync(join(folder, 'old.ndjson'), voteFile({ record }, { voided: true }));
  await done('import', 'old.ndjson');
  await done('import', 'old.ndjson', '--yes');
  expect(await says('audit')).toBe(
    '0: Recounted 0 ballots: every sum is right.\nBeside these, voided: 1.\n',
  );
  const acts = JSON.parse(await done('record', '--json'));
  expect(acts).toMatchObject([
    { what: 'void', votes: 1, games: ['a'] },
    { what: 'nominees' },
    { what: 'import', votes: 1 },
    { what: 'import', votes: 1 },
  ]);
  expect(acts[1]).not.toHaveProperty('games');
  expect(await use((store) => store.voids())).toEqual([{ act: acts[2].id, votes: 1, ...range }]);
});

describe.each(HOMES)('an import into $name', ({ home, isMissing }) => {
  test.skipIf(isMissing)('O6 takes over what was voided or counted again since', async () => {
    const votes = { a: ['1', '2', '3'], b: ['4'] };
    const vote = await openVote(openStandalone, votes);
    const file = join(vote.folder, 'vote.ndjson');
    const other = await openVote(home, votes);
    const ballot = (id: string) => ({ id, game: 'a', at: 5 });
    await vote.use((store) =>
      store.change(changeBallots(['1', '2'].map(ballot), { voidedBy: 'one' })),
    );
    await vote.says('export', file);
    await other.use((store) => store.change(changeBallots([ballot('3')], { voidedBy: 'other' })));
    const there = 'Of the votes that are there already, 2';
    expect(await other.says('import', file, '--dry-run')).toContain(
      `4 sound ballots. ${there} would be voided, and 1 counted again.\n`,
    );
    expect(await other.says('import', file)).toMatch(/ 2 will be voided, and 1 counted again\. /);
    expect(await other.use((store) => store.voids())).toMatchObject([{ votes: 1 }]);
    expect(await other.says('import', file, '--yes')).toMatch(
      /^0: 0 ballots imported, 4 were there already\. .* 2 are now voided, and 1 counted again\.\n/,
    );
    expect(await other.says('audit')).toMatch(
      /^0: Recounted 2 .*\nBeside these, voided: 2\.\nOf the voided ones, not in the record: 2\.\n$/,
    );
    await other.says('export', 'again.ndjson');
    expect(ballotsIn(join(other.folder, 'again.ndjson'))).toEqual(ballotsIn(file));
    expect(await other.says('import', file, '--yes')).toMatch(/ 4 were there already\.\n/);
  });
});

/** The lines of a file between those that also tell how it came about. */
const ballotsIn = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').slice(1, -1);

const VOTE = { voteId: '', nominees, opensAt: undefined, closesAt: undefined, frozenAt: undefined };

/** Ballots with these ids. Before the last one, `wait` is called. */
async function* ballots(ids: string[], wait = async () => {}): AsyncGenerator<Ballot> {
  for (const id of ids) {
    if (id === ids.at(-1)) await wait();
    yield { id, game: 'a', at: 5 };
  }
}

const write = (path: string, written: AsyncIterable<Ballot>) =>
  writeVoteFile(path, VOTE, written, async () => false);

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
  const ids = Array.from({ length: 10_000 }, (_, index) => `key-${index}`);
  const damaged = ballots(ids, async () => writeFileSync(`${path}.part`, 'x'));
  await expect(write(path, damaged)).rejects.toThrow(
    /^[^\n]*vote\.ndjson does not have what was written into it: check the disk\.$/,
  );
  expect(existsSync(path)).toBe(false);
});

test('O19 after an import, `record` and `status` tell the acts in the order of time', async () => {
  const earlier = await openVote(openStandalone, { a: ['1'] });
  await earlier.done('export', 'vote.ndjson');
  const { done } = await openVote(openStandalone, { a: ['2'] });
  await done('import', join(earlier.folder, 'vote.ndjson'), '--yes');
  const acts: { at: number; what: string }[] = JSON.parse(await done('record', '--json'));
  const times = acts.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(acts.map(({ what }) => what)).toEqual(['nominees', 'nominees', 'import']);
  expect((await done('status')).split('\n').at(-2)).toContain('command: import');
});

test('P23 exports, and what a nominee leaves that is removed, are for their owner alone', async () => {
  const { done, folder } = await openVote(openStandalone, { a: ['1'] });
  await done('export', 'vote.ndjson');
  await done('nominees', 'remove', 'a', '--yes');
  const files = readdirSync(folder).filter((name) => name !== 'n.csv');
  expect(files).toHaveLength(4);
  expect(files.filter((name) => statSync(join(folder, name)).mode % 0o100 !== 0)).toEqual([]);
});

test('O6 a name with a separator of lines, which is no end of a line in JSON, can be read again', async () => {
  const path = join(testFolder(), 'vote.ndjson');
  const nominees = [buildNominee({ id: 'a', name: 'Uno\u2028Dos\u2029Tres' })];
  await writeVoteFile(path, { ...VOTE, nominees }, ballots([]), async () => false);
  expect(await checkVoteFile(path)).toMatchObject({ nominees });
});

test('O20 version 2 of the export has these fields: whoever adds one makes the next version', async () => {
  const path = join(testFolder(), 'vote.ndjson');
  const times: Required<VoteTimes> = { opensAt: 1, closesAt: 2, frozenAt: 1, endsAtClose: true };
  const act: Required<ActPart> = {
    id: 'x',
    at: 1,
    by: 'desk',
    what: 'undo',
    undoes: 'y',
    votes: 1,
    codes: 1,
    games: ['a'],
    ranges: [{ from: 1, to: 2 }],
    before: times,
    after: times,
    part: 1,
  };
  const ballot: Required<Ballot> = { id: '1', game: 'a', at: 1, voided: 'x' };
  async function* written() {
    yield ballot;
  }
  const vote = { voteId: 'v', ...times, record: [act], nominees };
  await writeVoteFile(path, vote, written(), async () => false);
  const [header, line] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  const fields = Object.entries({
    header,
    times: header.record[0].before,
    act: header.record[0],
    nominee: header.nominees[0],
    ballot: line,
  }).map(([name, value]) => `${name}: ${Object.keys(value).toSorted().join(' ')}`);
  // An older version refuses a file with an act that it does not know.
  expect([header.version, `acts: ${ACTS.join(' ')}`, ...fields]).toEqual([
    2,
    'acts: init times reveal void undo nominees remove import reset repair invite revoke codes revoke-code end-codes',
    'header: closesAt endsAtClose frozenAt goty nominees opensAt record version voteId',
    'times: closesAt endsAtClose frozenAt opensAt',
    'act: after at before by codes games id part ranges undoes votes what',
    'nominee: id name url',
    'ballot: at game id voided',
  ]);
});
