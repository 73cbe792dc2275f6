import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { totalVotes } from '@goty/shared/game';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { changeBallots, setNominees } from '../src/acts/acts.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';
import { openStandalone, openVote } from '../testing/operator-homes.ts';
import { onFile } from '../testing/sqlite.ts';

test('O14 a frozen vote hides new votes from everybody but the operator', async () => {
  const { done, says, use } = await openVote(openStandalone, { a: ['1'] });
  expect(await says('freeze', '--at', '2020-01-01T00:00Z')).toMatch(
    /^1: [^\n]* 2020 [^\n]* is past, /,
  );
  expect(await says('freeze')).toMatch(
    /^0: The vote is open\.\nNew votes are hidden from .* on, until `goty reveal`\.\n$/,
  );
  expect(await says('freeze', '--at', '2126-01-01T00:00Z')).toMatch(
    /^1: New votes have been hidden since /,
  );
  await use((store) => store.commit([{ id: '2', game: 'b', at: Date.now() + 1_000 }]));
  expect(await use(async (store) => totalVotes(await store.games()))).toBe(1);
  expect(await says('results')).toMatch(/\n2 votes in all\.\n(.*\n)*Visitors do not see this/);
  expect(JSON.parse(await done('results', '--json'))).toMatchObject({ isFrozen: true });
  expect(await says('audit')).toBe(
    '0: Recounted 2 ballots: every sum is right.\nOf these, hidden because the vote is frozen: 1.\n',
  );
  expect(await says('status')).toContain('New votes are hidden from ');
  expect(await says('reveal')).toMatch(
    /^1: 2 votes, all in order\.\nShow all votes to everybody now, and end the freeze\? /,
  );
  expect(await says('reveal', '--yes')).toBe('0: 2 votes, all in order.\nAll votes are shown.\n');
  expect(await use(async (store) => totalVotes(await store.games()))).toBe(2);
  expect(await says('reveal')).toBe('0: No votes are hidden.\n');
  await says('close', '--yes');
  expect(await says('freeze')).toMatch(/^1: The vote is closed/);
});

test('O14 O10 the result of a frozen vote is held at the close, and voided and counted meanwhile', async () => {
  const { done, folder, says, use } = await openVote(openStandalone, { a: ['1'] });
  const start = new Date(Date.now() - 1_000).toISOString();
  await done('freeze');
  await use((store) => store.commit([{ id: '2', game: 'a', at: Date.now() }]));
  expect(await says('close')).toMatch(
    /^0: The vote is closed\.\nIt closed at .*\.\nIts result is held: `goty reveal` shows it\.\n$/,
  );
  // It is not shown by a change of mind that asks nobody.
  expect(await says('freeze', '--until-close')).toMatch(/^1: The vote is closed/);
  await done('void', '--game', 'a', '--from', start, '--yes');
  expect(await says('audit')).toMatch(/^0: Recounted 1 ballot: .*\nBeside these, voided: 1\.\n$/);
  const shown = /1 vote, all in order\.\nShow the result to everybody now, and end the freeze\? /;
  expect(await says('reveal')).toMatch(shown);
  await use((store) => store.commit([{ id: 'x', game: 'a', at: 1 }]));
  onFile(join(folder, 'goty.sqlite'), (database) =>
    database.exec("UPDATE goty SET votos = 9 WHERE id = 'a'"),
  );
  expect(await says('reveal')).toMatch(
    /^1: a: votos is 9, but it has .*\n2 votes, 1 fault found\.\n/,
  );
  expect(await says('reveal', '--yes')).toMatch(/^0: (.*\n)*All votes are shown\.\n$/);
  expect(await says('status')).toMatch(
    /^0: The vote is closed\.\nIt closed at .*\.\nIts result is shown\.\n/,
  );
  expect(await says('reveal')).toBe('0: No votes are hidden.\n');
});

test('O14 a close before a planned freeze holds the result, too, and a freeze may end with the close', async () => {
  const { done, says, use } = await openVote(openStandalone, { a: ['1'] });
  await done('freeze', '--at', '2126-01-01T00:00Z');
  expect(await says('freeze', '--at', '2126-01-01T00:00Z', '--until-close')).toMatch(
    /^0: .*\nNew votes will be hidden from .* until the close\.\n$/,
  );
  await done('freeze', '--at', '2126-01-01T00:00Z');
  expect(await says('close', '--at', '2125-01-01T00:00Z')).toMatch(/^1: The vote would close, /);
  // Nothing is hidden but who has won.
  expect(await says('close', '--at', '2126-01-01T00:00Z')).toMatch(/^0: The vote is open/);
  expect(await says('close')).toContain('Its result is held: ');
  const { times } = await use((store) => store.state());
  expect(times.frozenAt).toBe(times.closesAt);
});

test('O18 any times are set at once, whatever they were, and cancelled', async () => {
  const { done, says, use } = await openVote(openStandalone, { a: [] });
  const times = ['opens', 'freeze', 'closes'];
  const set = (...given: string[]) => [
    'times',
    ...times.flatMap((name, at) => [`--${name}`, given[at] ?? '']),
  ];
  await done(...set('2126-01-01T00:00Z', '2126-01-02T00:00Z', '2126-01-03T00:00Z'));
  const later = set('2127-01-01T00:00Z', '2127-01-02T00:00Z', '2127-01-03T00:00Z');
  expect(await says(...later, '--until-close')).toMatch(
    /^0: The vote is not open yet\.\n(.*\n)+.* until the close\.\n$/,
  );
  // What is not named stays.
  await done('times', '--closes', '2128-01-03T00:00Z');
  expect(await use(async (store) => (await store.state()).times)).toEqual({
    opensAt: Date.parse('2127-01-01T00:00Z'),
    frozenAt: Date.parse('2127-01-02T00:00Z'),
    closesAt: Date.parse('2128-01-03T00:00Z'),
    endsAtClose: true,
  });
  await done(...set('never', 'never', 'never'));
  expect(await use(async (store) => (await store.state()).times)).toEqual({
    endsAtClose: false,
  });
});

test('O19 what was done to a vote is recorded, told, and taken along, and the audit knows what nobody recorded', async () => {
  const { done, folder, says, use } = await openVote(openStandalone, { a: ['1', '2', '3'] });
  await done(
    'void',
    '--game',
    'a',
    '--from',
    '1970-01-01T00:00Z',
    '--to',
    '1970-01-01T00:01Z',
    '--yes',
  );
  await done('void', '--from', '1970-01-01T00:00Z', '--to', '1970-01-01T00:01Z', '--undo', '--yes');
  await done('close');
  const record = async () => JSON.parse(await done('record', '--json'));
  expect(await record()).toMatchObject([
    { what: 'nominees', games: ['a', 'b'] },
    { what: 'void', votes: 3, games: ['a'], ranges: [{ from: 5, to: 6 }] },
    { what: 'undo', votes: 3 },
    { by: 'command', what: 'times', after: { closesAt: expect.any(Number) } },
  ]);
  expect(await done('status')).toMatch(
    / command: undo, 3 votes of a cast or changed from 1 Jan 1970, .* to 1 Jan 1970, /,
  );
  expect(await done('audit')).not.toContain('record');
  await use((store) =>
    store.change(changeBallots([{ id: '1', game: 'a', at: 5 }], { voidedBy: 'hand' })),
  );
  expect(await done('audit')).toMatch(/\nOf the voided ones, not in the record: 1\.\n$/);
  const acts = await record();
  await done('export', join(folder, 'v.ndjson'));
  await says('reset', join(folder, 'r.ndjson'), '--yes');
  await done('import', join(folder, 'v.ndjson'), '--yes');
  expect(await record()).toMatchObject([
    ...acts,
    { what: 'reset', votes: 3 },
    { what: 'import', votes: 3 },
  ]);
});

test('O14 O6 an export takes a freeze along, and what it hides', async () => {
  const vote = await openVote(openStandalone, { a: [] });
  await vote.done('freeze');
  const { frozenAt: at = 0 } = await vote.use(async (store) => (await store.state()).times);
  const hidden = (id: string) => ({ id, game: 'a', at });
  await vote.use(async (store) => {
    await store.commit([hidden('1'), hidden('2')]);
    await store.change(changeBallots([hidden('1')], { voidedBy: 'hand' }));
  });
  const file = join(vote.folder, 'vote.ndjson');
  await vote.done('export', file);
  const other = await openVote(openStandalone);
  await other.done('import', file);
  expect(await other.use(async (store) => totalVotes(await store.games()))).toBe(0);
  expect(await other.says('audit')).toMatch(/Of these, hidden .* 1\.\nBeside these, voided: 1\.\n/);
  expect(await other.says('reset', 'r.ndjson')).toMatch(/then remove its 2 votes\?/);
  // What is hidden counts as votes, too, and what would be shown is said.
  await other.use((store) => store.change(changeBallots([hidden('1')], 'gone')));
  expect(await other.says('import', file)).toMatch(
    /^1: .* already has votes\. [^\n]*others\. Noth/,
  );
  const open = await openVote(openStandalone, { a: ['9'] });
  expect(await open.says('import', file)).toMatch(/^1: .*hidden in the file will be shown/s);
  expect(await open.says('import', file, '--yes')).toMatch(/keeps its own state of being frozen/);
});

/** Stores so many votes of each game in the minutes that begin at `start`. */
function storeMinutes(
  store: VoteStore,
  start: string,
  minutes: readonly Readonly<Record<string, number>>[],
) {
  const ballots = minutes.flatMap((votes, minute) =>
    Object.entries(votes).flatMap(([game, count]) => {
      const at = Date.parse(start) + minute * 60_000;
      return Array.from({ length: count }, (_, id) => ({ id: `${game}${at}-${id}`, game, at }));
    }),
  );
  return store.commit(ballots);
}

test('O15 stuffed votes are found, voided, and counted again', async () => {
  const { says, use } = await openVote(openStandalone, { a: [], b: [] });
  // A crowd that arrives is no stuffing, and told as a crowd.
  const crowds = [10, 300, 20, 15, 12].map((a) => ({ a, b: a === 15 ? 300 : 2 * a }));
  await use((store) => storeMinutes(store, '2026-01-01T20:00Z', crowds));
  expect(await says('traffic')).toMatch(
    /^0: minute +UTC +votes +first +second +stands out\n.* 30 .*\n.* 900 +b: 600 +a: 300 +all, some 36 in a quiet minute\n.*Z +60 +b: 40 +a: 20\n2026-01-01 \d\d:03 +2026-01-01T20:03Z +315 +b: 300 +a: 15 +b, some 32 expected\n.* 36 .*\nb got 300 votes in 1 minute; about 32 would be usual:\n {2}node goty.js void --game b --from 2026-01-01T20:03:00.000Z --to 2026-01-01T20:04:00.000Z\n/,
  );
  expect(await says('traffic', '--csv')).toContain('2026-01-01T20:03:00.000Z;b;300;32;true\n');
  const range = ['--from', '2026-01-01T20:03Z', '--to', '2026-01-01T20:04Z', '--game', 'b'];
  expect(await says('void', ...range)).toMatch(
    /^1: 300 votes cast or changed from \S+ 1 January 2026 at .*:03:00 \S+ \(2026-01-01T20:03Z\) .*: 300 for =Dos\.\nAbout 32 of them may be genuine, as `traffic` reckons\.\nVoid them\? Nothing was changed/,
  );
  expect(await says('void', ...range, '--yes')).toMatch(
    /\n300 votes voided\. .* counts them again, but those that are changed meanwhile\.\n$/,
  );
  expect(await says('void', ...range, '--yes')).toBe('0: There are no such votes.\n');
  expect(await says('results')).toMatch(/\n1041 votes in all, and 300 voided\.\n$/);
  expect(await says('audit')).toMatch(
    /^0: Recounted 1041 ballots.*\nBeside these, voided: 300\.\n/,
  );
  expect(await says('void', ...range, '--undo', '--yes')).toMatch(
    /^0: 300 voided votes cast or changed from .*: 300 for =Dos\.\n300 votes counted again\.\n$/,
  );
  expect(await says('results')).toMatch(/\n1341 votes in all\.\n$/);
  const next = ['--from', '2026-01-01T20:04Z', '--to', '2026-01-01T20:09Z'];
  expect(await says('void', ...range, ...next)).toMatch(
    /^1: 324 votes cast or changed from .*T20:03Z.* to .*T20:04Z.*, from .*T20:04Z.* to .*T20:09Z.*: 324 for =Dos\.\nAbout 56 of them /,
  );
  expect(await says('void', '--from', '2026-01-01T20:04Z')).toMatch(
    /^1: 36 votes cast or changed from .*2026-01-01T20:04Z.*\nAll of them may be genuine/,
  );
  for (const [said, ...wrong] of [
    [/^1: The first time has to be before/, '--from', '2026-01-01T20:04Z', ...range.slice(2)],
    [
      /^1: \S+ 1 January 2126 .* is not past yet\.\n$/,
      ...range.slice(0, 2),
      '--to',
      '2126-01-01T20:04Z',
    ],
    [/^1: There is no game z\.\n/, ...range.slice(0, 4), '--game', 'z'],
    [/^1: Of several ranges, each needs/, ...range, '--to', '2026-01-01T20:05Z'],
    [/^1: Of several ranges, each needs/, ...range, '--from', '2026-01-01T20:04Z'],
  ] as const) {
    expect(await says('void', ...wrong)).toMatch(said);
  }
});

test('O15 games that are stuffed at once, and for most of a vote, are found, each as one run', async () => {
  const { says, use } = await openVote(openStandalone, { a: [], b: [] });
  const honest = { a: 20, b: 15, c: 10, d: 10, e: 10 };
  const stuffed = { ...honest, a: 170, c: 110 };
  const vote = [honest, ...Array(6).fill(stuffed), honest, honest, honest];
  const games = ['c', 'd', 'e'].map((id) => buildNominee({ id }));
  await use(async (store) => {
    await store.change(setNominees(games));
    await storeMinutes(store, '2026-01-01T20:00Z', vote);
  });
  const runs = [
    ['a', 1020],
    ['c', 660],
  ].map(
    ([game, votes]) =>
      `${game} got ${votes} votes in 6 minutes; about \\d+ would be usual:\n  node goty.js void --game ${game} --from 2026-01-01T20:01:00.000Z --to 2026-01-01T20:07:00.000Z\n`,
  );
  expect(await says('traffic')).toMatch(new RegExp(`\n${runs.join('')}A game `));
  // If all are stuffed, no game stands out from the others.
  const all = { a: 400, b: 300, c: 200, d: 200, e: 200 };
  await use((store) => storeMinutes(store, '2026-01-01T20:10Z', [all]));
  expect(await says('traffic')).toMatch(/T20:10Z +1300 .* all, some 65 in a quiet minute\n/);
});

test('O15 of stuffing that goes on, no more is offered to be voided than has been cast', async () => {
  const { says, use } = await openVote(openStandalone, { a: [], b: [] });
  const start = '2026-01-01T20:00:00.000Z';
  vi.spyOn(Date, 'now').mockReturnValue(Date.parse(start) + 5.5 * 60_000);
  const quiet = { a: 10, b: 10 };
  await use((store) => storeMinutes(store, start, [...Array(5).fill(quiet), { a: 100, b: 10 }]));
  const said = await says('traffic');
  const [, to = ''] = /void --game a .* --to (\S+)\n/.exec(said) ?? [];
  expect(to).toBe('2026-01-01T20:05:30.000Z');
  // What the minute that is running shows so far may mislead.
  const running = 'The last minute is not over: its numbers and marks are going to change.\n';
  expect(said).toContain(`\n${running}A game stands out`);
  expect(await says('void', '--game', 'a', '--from', start)).toContain(
    `About 61 of them may be genuine, as \`traffic\` reckons.\n${running}Void them?`,
  );
  const ended = ['--from', start, '--to', '2026-01-01T20:03Z'];
  expect(await says('void', '--game', 'a', ...ended)).not.toContain(running);
});

test('O15 with votes of few minutes, both commands say that they guess', async () => {
  const { says, use } = await openVote(openStandalone, { a: [], b: [] });
  await use((store) => storeMinutes(store, '2026-01-01T20:00Z', [{ a: 100, b: 5 }]));
  const guess = '\nThere are votes of 1 minute only: what is usual is a guess.\n';
  for (const command of [['traffic'], ['void', '--from', '2026-01-01T20:00Z']]) {
    expect(await says(...command)).toContain(guess);
  }
});

test('O14 O16 a vote is made with its times before anybody can vote', async () => {
  const { folder, says, use } = await openVote(openStandalone);
  const times = ['--opens', '2126-01-01T20:00Z', '--closes', '2126-01-02T21:00+01:00'];
  expect(await says('init', 'n.csv', '--opens', '2127-01-01T20:00Z', ...times.slice(2))).toMatch(
    /^1: The vote would close, .*2126 .* \(2126-01-02T21:00\+01:00\), before it opens, .*\(2127-01-01T20:00Z\)\.\n$/,
  );
  for (const wrong of [
    ['--closes', '2026-01-01T20:00Z'],
    [...times, '--freeze', '2026-01-01T20:00Z'],
    [...times, '--freeze', '2126-01-03T20:00Z'],
  ]) {
    expect(await says('init', 'n.csv', ...wrong)).toMatch(/^1: [^\n]*\n$/);
  }
  const before = await use((store) => Promise.all([store.games(), store.state()]));
  expect(before).toMatchObject([[], { times: { closesAt: undefined, frozenAt: undefined } }]);
  writeFileSync(join(folder, 'n.csv'), 'id,name,url\nb,Dos,http://x.example/b.png\na,Uno,\n');
  expect(await says('init', 'n.csv', ...times, '--freeze', '2126-01-02T19:00Z')).toMatch(
    /^0: .* has a vote with 2 nominees, in this order:\nid +name +cover\na +Uno +initials\nb +Dos +http.*\nThe vote is not open yet\.\nIt opens at .* 2126 .* \(2126-01-01T20:00Z\)\.\nIt closes at .* \(2126-01-02T21:00\+01:00\)\.\nNew votes will be hidden from .* \(2126-01-02T19:00Z\) on, until `goty reveal`\.\nThe cover of b is not shown on a page with https: .*\n$/,
  );
  expect(await says('close', '--at', '2126-01-02T18:00Z')).toMatch(
    /^1: The vote would close, [^\n]* 2126 [^\n]*, before it is frozen, [^\n]*\n$/,
  );
  expect(await says('init', 'n.csv')).toMatch(/^1: .* has a vote already: /);
  expect((await use((store) => store.state())).times).toMatchObject({
    opensAt: Date.parse('2126-01-01T20:00Z'),
    closesAt: Date.parse('2126-01-02T20:00Z'),
  });
});
