import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { TIME_NAMES, type VoteTimes } from '@goty/shared/vote-times';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setNominees, setTimes } from '../src/acts/acts.ts';
import { patientClock } from '../testing/clock.ts';
import { openStandalone, openVote } from '../testing/operator-homes.ts';
import { onFile } from '../testing/sqlite.ts';
import { exportVote } from './commands/export.ts';
import { checkVoteFile } from './vote-file.ts';

test('O2 nominees are set and listed, and a change says what it does', async () => {
  const { done, folder, says, use } = await openVote(openStandalone);
  const names = ['Uno', '=1', "'=1", "''+1", "'Uno"];
  const nominees = names.map((name, index) => ({ id: `n${index}`, name, url: '/a.svg' }));
  writeFileSync(join(folder, 'n.json'), JSON.stringify(nominees));
  expect(await says('nominees', 'set', 'n.json', '--dry-run')).toMatch(
    /add +n0: Uno, \/a.svg\n(.*\n)*5 nominees added, 0 changed: not done/,
  );
  expect(await use((store) => store.games())).toEqual([]);
  await done('nominees', 'set', 'n.json');
  expect(await done('nominees', 'list')).toMatch(/^id +name +url\nn0 +Uno +\/a\.svg\nn1 +=1 /);
  const csv = await done('nominees', 'list', '--csv');
  expect(csv).toMatch(/^\ufeffid;name;url\nn0;Uno;\/a.svg\nn1;"'=1";\/a.svg\n/);
  await use((store) => store.commit([{ id: '1', game: 'n0', at: 5 }]));
  // What is not changed here is the same when it is set, also where it looks like a formula.
  writeFileSync(join(folder, 'm.csv'), csv.replace('Uno', 'One').replace(/n4;.*/, 'c;C;/c'));
  expect(await says('nominees', 'set', 'm.csv')).toBe(
    '0: add     c: C, /c\nchange  n0: name from Uno to One\nkeep    n4, which is not in the file\n1 nominee added, 1 changed.\n',
  );
  expect(await use((store) => store.games())).toMatchObject([
    { id: 'c', name: 'C', url: '/c', votos: 0 },
    { id: 'n0', name: 'One', votos: 1 },
    ...nominees.slice(1),
  ]);
});

test('O2 a nominee with votes is removed after a question, and can be brought back', async () => {
  const { done, says, use } = await openVote(openStandalone, { a: ['1', '2'], b: ['3'] });
  expect(await says('nominees', 'remove', 'a')).toBe(
    '1: Remove a with 2 votes, and those that arrive meanwhile? Its voters can vote again. Nothing was changed: add --yes to do it.\n',
  );
  await says('close');
  const said = await says('nominees', 'remove', 'a', '--yes');
  await says('open');
  const [, file = ''] =
    /^0: Wrote 2 .*\nRemoved a with its votes\.\n`node goty.js import (.*)` brings them back\.\n$/.exec(
      said,
    ) ?? [];
  await done('audit');
  expect(await says('nominees', 'remove', 'a')).toBe('1: There is no nominee a.\n');
  expect(await says('import', file, '--yes')).toMatch(
    /^0: 2 ballots imported, 0 were there already/,
  );
  expect(await use((store) => store.games())).toMatchObject([
    { id: 'a', name: 'Uno', votos: 2 },
    { id: 'b', votos: 1 },
  ]);
  // What was removed is no vote, so it brings no times.
  expect(await says('status')).toMatch(/^0: The vote is open\./);
});

test('O2 O16 nominees that look alike are asked about once', async () => {
  const { done, folder, says, use } = await openVote(openStandalone);
  const alike = 'id,name,url\na,Uno,/a\nA,Dos,/b\nc,  dos ,/c\n';
  writeFileSync(join(folder, 'm.csv'), alike);
  const asks =
    '1: a (Uno) and A (Dos) differ only in case.\nA (Dos) and c (dos) have the same name.\nAre these all different games? Nothing was changed: add --yes to do it.\n';
  expect(await says('init', 'm.csv')).toBe(asks);
  expect(await says('nominees', 'set', 'm.csv')).toContain(asks.slice('1: '.length));
  expect(await use((store) => store.games())).toEqual([]);
  await done('init', 'm.csv', '--yes');
  writeFileSync(join(folder, 'm.csv'), `${alike}d,Cuatro,/d\n`);
  await done('nominees', 'set', 'm.csv');
  writeFileSync(join(folder, 'm.csv'), 'id,name,url\ne,CUATRO,/e\n');
  expect(await says('nominees', 'set', 'm.csv')).toMatch(
    /^1: (.*\n)*d \(Cuatro\) and e \(CUATRO\) have the same name\./,
  );
});

test('O1 O2 O16 names that may be spoilt are shown and asked about, ten of them', async () => {
  const { folder, says, use } = await openVote(openStandalone);
  const lines = Array.from({ length: 12 }, (_, at) => `${at + 1},Pok?mon ${at + 1},`);
  writeFileSync(join(folder, 'm.csv'), ['id,name,url,votos', ...lines].join('\n'));
  const names = Array.from({ length: 10 }, (_, at) => `Pok\\?mon ${at + 1}\n`).join('');
  const said = new RegExp(
    `Left out of .*: the column votos\\.\nIds sort as text, .*\n${names}and 2 more\nAre these names right\\? Nothing`,
  );
  expect(await says('init', 'm.csv')).toMatch(said);
  expect(await says('nominees', 'set', 'm.csv')).toMatch(said);
  expect(await use((store) => store.games())).toEqual([]);
});

test('O4 the results are a ranking with shares, as text, CSV and JSON', async () => {
  const { done, says } = await openVote(openStandalone, { b: ['1', '2'], a: ['3'] });
  expect(await says('results')).toBe(
    '0: rank  id  name  votos  share\n   1  b   =Dos      2   66.7\n   2  a   Uno       1   33.3\n3 votes in all.\n',
  );
  expect(await says('results', '--csv')).toBe(
    // As a Spanish Excel opens it.
    `0: \ufeffrank;id;name;votos;share\n1;b;"'=Dos";2;66,7\n2;a;Uno;1;33,3\n`,
  );
  expect(JSON.parse(await done('results', '--json'))).toMatchObject({
    total: 3,
    ranking: [{ rank: 1, id: 'b', votos: 2 }, { rank: 2 }],
  });
});

test('O4 the results are printed again and again until Ctrl-C', async () => {
  const { says, use } = await openVote(openStandalone, { a: ['1'] });
  const steps = [
    () => use((store) => store.commit([{ id: '2', game: 'b', at: 5 }])),
    async () => void process.emit('SIGINT'),
  ];
  vi.spyOn(patientClock, 'after').mockImplementation((_ms, end) => {
    void steps.shift()?.().then(end);
    return () => {};
  });
  const said = await says('results', '--watch');
  expect(said.match(/\d votes? in all/g)).toEqual(['1 vote in all', '2 votes in all']);
});

test('S13 O5 the audit names each difference, and repairs it', async () => {
  const { folder, says } = await openVote(openStandalone, { a: ['1', '2'] });
  const right = '0: Recounted 2 ballots: every sum is right.\n';
  expect(await says('audit')).toBe(right);
  onFile(join(folder, 'goty.sqlite'), (database) =>
    database.exec(`PRAGMA foreign_keys = OFF; UPDATE goty SET votos = 999 WHERE id = 'a';
                   INSERT INTO ballots (id, game, at, voided)
                     VALUES ('orphan', 'away', 1, NULL), ('voided', 'away', 2, 'act')`),
  );
  const wrong =
    /^3: a: votos is 999, but it has 2 ballots\naway: there is no such game, but it has 2 ballots\n/;
  expect(await says('audit')).toMatch(wrong);
  expect(await says('audit', '--repair')).toMatch(/^1: (.*\n)*.* remove 2 ballots of away\? /);
  expect(JSON.parse((await says('audit', '--json')).replace(/^3: /, ''))).toMatchObject({
    ballots: 4,
    found: [expect.stringMatching(/^a: /), expect.stringMatching(/^away: /)],
  });
  expect(await says('audit', '--repair', '--yes')).toMatch(/^0: (.*\n)*Removed 2 ballots\.\n/);
  expect(await says('audit')).toBe(right);
});

test('O10 the vote is opened and closed, now or at a time', async () => {
  const { done, says } = await openVote(openStandalone);
  expect(await says('status')).toBe(
    '0: The vote is open.\nIt has 0 votes.\nIt has no nominees, so nobody can vote yet: see `goty init`.\n',
  );
  // And by the clock of this machine, whatever its zone is.
  expect(await says('open', '--at', '2126-01-01T20:00+01:00')).toMatch(
    /^0: The vote is not open yet\.\nIt opens at .* 2126 at .*:00:00 .* \(2126-01-01T20:00\+01:00\)\.\n$/,
  );
  for (const time of [
    '2126-01-01T20:00',
    '2126-02-30T20:00Z',
    '1969-01-01T00:00Z',
    '9999-12-31T23:59-12:00',
  ]) {
    expect(await says('close', '--at', time)).toMatch(/^2: .* is not a time with its zone/);
  }
  expect(await says('close', '--at', '2126-01-01T18:00Z')).toMatch(/^1: /);
  await done('close', '--at', '2127-01-01T00:00Z');
  expect(await says('open', '--at', '2127-01-01T00:00Z')).toMatch(
    /^1: The vote would close, [^\n]*\(2127-[^\n]*, before it opens, [^\n]*\(2127-[^\n]*\n$/,
  );
  expect(JSON.parse(await done('status', '--json'))).toEqual({
    state: 'not open yet',
    opensAt: '2126-01-01T19:00:00.000Z',
    closesAt: '2127-01-01T00:00:00.000Z',
    frozenAt: null,
    endsAtClose: false,
    votes: 0,
    codes: null,
    isServed: false,
    viewers: null,
  });
  expect(await says('open')).toMatch(
    /^0: The vote is open.\nIt closes at .* 2127 .*\nThe opening that was planned, .* 2126 at .*, is cancelled\.\n$/,
  );
  expect(await says('close')).toMatch(/^0: The vote is closed.\nIt closed at /);
  // An opening time to come is cancelled.
  await done('open', '--at', '2126-01-01T20:00Z');
  expect(await says('close')).toMatch(
    /^0: The vote is closed.\nIt closed at .*\nIts result is shown\.\nThe opening that was planned, /,
  );
});

test('O10 `status` tells votes, viewers, whether a server runs, and what is seen of the votes', async () => {
  const { done, serve } = await openVote(openStandalone, { a: ['1'] });
  await done('open');
  const { address } = await serve();
  const viewer = await fetch(`${address}/api/goty/live`);
  onTestFinished(() => viewer.body?.cancel());
  const told = (...options: string[]) => done('status', ...options);
  // Another one, which has no viewers, at the port that the configuration names.
  const other = await (await openVote(openStandalone)).serve();
  vi.stubEnv('PORT', new URL(other.address).port);
  expect(await told()).toContain(
    `The vote is open.\nIt has 1 vote.\nA server is running on it.\n1 page with the result open at ${address}.\n`,
  );
  const numbers = { votes: 1, isServed: true, viewers: 1 };
  expect(JSON.parse(await told('--json'))).toMatchObject(numbers);
  await done('freeze');
  expect(await told()).toContain(
    '\nIt has 1 vote visible, `goty results` has the hidden ones, too.\n',
  );
  await done('close');
  await done('reveal', '--yes');
  expect(await told()).toMatch(
    /^The vote is closed\..*\n.*\nIts result is shown\.\nIt has 1 vote\.\n/,
  );
  expect(await done('record')).toMatch(/^[^,]*, [^,]*, command: nominees: a, b\n/m);
});

test('O10 a vote that closes while it is being opened is open, and that is said', async () => {
  const { says, use } = await openVote(openStandalone);
  const start = Date.now();
  await use((store) =>
    store.change(
      setTimes((times) => ({ ...times, opensAt: 5, closesAt: start + 60_000 }), 'command'),
    ),
  );
  // The closing time passes while the command waits for the database.
  vi.spyOn(Date, 'now').mockReturnValueOnce(start);
  vi.spyOn(Date, 'now').mockReturnValue(start + 120_000);
  expect(await says('open')).toMatch(/^0: The vote is open\.\nIt was closed at .*\n$/);
});

test('O10 of two commands that set times at once, the second changes nothing', async () => {
  const { folder, says, use } = await openVote(openStandalone);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockImplementationOnce(() => {
    onFile(join(folder, 'goty.sqlite'), (database) =>
      database.exec('UPDATE settings SET closes_at = 7'),
    );
    return now;
  });
  expect(await says('open', '--at', '2126-01-01T20:00Z')).toBe(
    '1: The times have changed meanwhile: run the command again.\n',
  );
  expect((await use((store) => store.state())).times).toEqual({ closesAt: 7, endsAtClose: false });
});

test('O6 an export while a nominee is added and voted for has the vote without it', async () => {
  const { folder, says, use } = await openVote(openStandalone, { a: ['1'] });
  await use(async (store) => {
    const games = await store.games();
    await store.change(setNominees([buildNominee({ id: 'new' })]));
    await store.commit([{ id: '2', game: 'new', at: 5 }]);
    const file = join(folder, 'early.ndjson');
    const early = { ...store, games: vi.fn(store.games).mockResolvedValueOnce(games) };
    vi.spyOn(console, 'info').mockImplementation(() => {});
    await exportVote({ store: early, name: 'vote', port: 0 }, file);
    expect(await checkVoteFile(file)).toMatchObject({ ballots: 1, nominees: [{ id: 'a' }, {}] });
  });
  expect(await says('export', 'all.ndjson')).toMatch(/^0: Wrote 2 ballots /);
});

test('O10 a closed vote stays closed since it was, until it is opened again', async () => {
  const { says, use } = await openVote(openStandalone);
  await use((store) =>
    store.change(setTimes((times) => ({ ...times, closesAt: 7_000 }), 'command')),
  );
  const times = () =>
    use(async (store) => {
      const { opensAt, closesAt } = (await store.state()).times;
      return { opensAt, closesAt };
    });
  expect(await says('close')).toMatch(/It closed at .*1970-01-01T00:00:07/);
  const moved = ['close', '--at', '2126-01-01T18:00Z'];
  for (const change of [
    moved,
    ['close', '--at', 'never'],
    ['times', '--closes', 'never', '--yes'],
  ]) {
    expect(await says(...change)).toMatch(
      /^1: The vote has been closed since [^\n]*1970-[^\n]*: `goty open` opens it again\.\n$/,
    );
  }
  expect(await times()).toEqual({ closesAt: 7_000 });
  expect(await says('open')).toMatch(
    /^0: The vote is open\.\nIt was closed at .*\. It has no closing time now, nor a freeze\.\n$/,
  );
  expect(await times()).toEqual({});
  const past = ['close', '--at', '2026-01-01T18:00Z'];
  expect(await says(...past)).toMatch(/^1: [^\n]*\(2026-[^\n]* is past, and votes [^\n]*\n$/);
  expect(await says(...past, '--yes')).toMatch(/^0: The vote is closed\./);
});

test('O6 an import that turns names back says so and asks', async () => {
  const { done, folder, says, use } = await openVote(openStandalone, {});
  await done('export', 'old.ndjson');
  writeFileSync(join(folder, 'm.csv'), 'id,name,url\na,One,/a.svg\n');
  await done('nominees', 'set', 'm.csv');
  expect(await says('import', 'old.ndjson')).toMatch(
    /^1: change {2}a: name from One to Uno\n(.*\n)*.* with other texts\. /,
  );
  expect((await use((store) => store.games()))[0]?.name).toBe('One');
  await done('import', 'old.ndjson', '--yes');
});

test('O10 every time that a vote has is shown', async () => {
  const { done, use } = await openVote(openStandalone, { a: [] });
  // Days that no other test has given in words: a time is told as it was given.
  const day = (number: number) => Date.UTC(2131, 4, number, 3, 7);
  const times: Required<VoteTimes> = {
    opensAt: day(1),
    frozenAt: day(2),
    closesAt: day(3),
    endsAtClose: false,
  };
  await use((store) => store.change(setTimes(() => times, 'command')));
  const shown = await done('status');
  for (const name of TIME_NAMES) expect(shown).toContain(new Date(times[name] ?? 0).toISOString());
});

test('O7 V16 a reset begins another vote, and Ctrl-C does not end it half-way', async () => {
  const { run, use } = await openVote(openStandalone, { a: ['1'] });
  const { voteId } = await use((store) => store.state());
  const before = process.listenerCount('SIGINT');
  const listen = process.on.bind(process);
  // As if it were pressed as soon as somebody listens.
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    listen(event, listener);
    if (event === 'SIGINT') process.emit('SIGINT');
    return process;
  });
  expect(await run('reset', 'old.ndjson', '--yes')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('The vote is being reset: this cannot be interrupted.\n'),
  });
  expect(process.listenerCount('SIGINT')).toBe(before);
  const after = await use(async (store) => [(await store.state()).voteId, await store.games()]);
  expect(after).toMatchObject([expect.not.stringContaining(voteId), [{ votos: 0 }, {}]]);
});
