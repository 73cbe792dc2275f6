import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import { buildNominee } from '@goty/shared/testing/nominee';
import { REHEARSAL } from '@goty/shared/texts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { check } from '../cli/commands/check.ts';
import { openSqliteStore } from '../src/sqlite/database.ts';
import { createStandaloneHome } from '../src/standalone/standalone-home.ts';
import { createTestClock } from '../testing/clock.ts';
import { testFolder } from '../testing/folder.ts';
import { serveApp } from '../testing/http.ts';
import { createTestLog } from '../testing/log.ts';
import { run, runCommand, start } from '../testing/process.ts';
import { PLAN, rehearse, votesOfSecond } from './rehearsal.ts';

const DEMO = resolve(import.meta.dirname, 'demo.ts');
const SECONDS = Array.from({ length: PLAN.end.at }, (_, second) => second);

/** How many votes each game has got by the end of each second, with or without what was stuffed. */
function sumsOf(games: readonly string[], isCounted = (_second: number, _game: string) => true) {
  const sums = new Map(games.map((game) => [game, 0]));
  return SECONDS.map((second) => {
    for (const game of votesOfSecond(second, games)) {
      if (isCounted(second, game)) sums.set(game, (sums.get(game) ?? 0) + 1);
    }
    return Object.fromEntries(sums);
  });
}

const isGenuine = (second: number, game: string) =>
  game !== 'b' || second < PLAN.stuffing.at || second >= PLAN.finish.at;

/** Those who lead alone, one after the other. */
function leadersIn(sums: readonly Record<string, number>[]): string[] {
  const leaders = sums.flatMap((votes) => {
    const most = Math.max(...Object.values(votes));
    const first = Object.keys(votes).filter((game) => votes[game] === most);
    return first.length === 1 ? first : [];
  });
  return leaders.filter((leader, at) => leader !== leaders[at - 1]);
}

test.each([2, 3, 8, 1_000])(
  'P21 of %i games, two take the lead from one another before the freeze, and stuffed votes would win',
  (length) => {
    const games = ['a', 'b', 'c', ...Array.from({ length }, (_, at) => `d-${at}`)].slice(0, length);
    const genuine = sumsOf(games, isGenuine);
    expect(leadersIn(genuine.slice(0, PLAN.freeze.at))).toEqual(['a', 'b', 'a']);
    expect(leadersIn(genuine)).toEqual(['a', 'b', 'a']);
    expect(leadersIn(sumsOf(games)).at(-1)).toBe('b');
    // A machine that is busy keeps up.
    expect(Math.max(...SECONDS.map((second) => votesOfSecond(second, games).length))).toBeLessThan(
      60,
    );
  },
);

test('P21 votes arrive while the vote is open, and each step has its second, in order', () => {
  const busy = SECONDS.filter((second) => votesOfSecond(second, ['a']).length > 0);
  expect([busy[0], busy.at(-1)]).toEqual([PLAN.open.at, PLAN.close.at - 1]);
  const times = Object.values(PLAN).map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(PLAN.end.at).toBe(180);
});

test.each(['unlimited', 'one-per-code'] as const)(
  'P21 O21 the evening on a real server, %s: every vote counts, the stuffed ones are voided, the result is shown',
  async (policy) => {
    const games = ['a', 'b', 'c', 'd', 'e'];
    const said = vi.spyOn(console, 'info').mockImplementation(() => {});
    const refused = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const path = join(testFolder(), 'goty.sqlite');
    const firstNominees = () => games.map((id) => buildNominee({ id }));
    const store = openSqliteStore({ path, firstNominees });
    onTestFinished(() => store.close());
    const clock = createTestClock();
    const ofServer = { ...clock, soon: setImmediate };
    const needsCode = policy === 'one-per-code';
    const parts = { store, clock: ofServer, policy, publicUrl: undefined } as const;
    const { app, close } = createStandaloneHome({ ...parts, log: createTestLog() });
    const { address } = await serveApp(app);
    onTestFinished(close);
    // Time goes on only while the rehearsal waits: how fast the machine is decides nothing.
    const after = (ms: number, callback: () => void) => {
      void clock.advance(Math.ceil(ms)).then(callback);
      return () => {};
    };
    await rehearse(store, address, { ...clock, after }, needsCode);
    expect(refused.mock.calls).toEqual([]);
    const lines = said.mock.calls.map(String);
    expect(lines.splice(0, needsCode ? 1 : 0).join()).toMatch(needsCode ? /#codigo=/ : /^$/);
    expect(lines).toEqual(
      Object.values(PLAN).map(({ at, says }) => `${String(at).padStart(3)} s  ${says}`),
    );
    const answer = await fetch(`${address}${API_PREFIX}${API_PATHS.standings}`);
    const result = await answer.json();
    const votes = sumsOf(games, isGenuine).at(-1) ?? {};
    expect(result).toMatchObject({
      standings: games.map((id) => ({ id, votos: votes[id] })),
      closesAt: PLAN.close.at * 1_000,
      voided: 150,
    });
    expect(result).not.toHaveProperty('frozenAt');
    const record = (await store.record()).map(({ what }) => what);
    const acts = ['reveal', 'times', 'void'];
    expect(record.toSorted()).toEqual(needsCode ? ['codes', ...acts] : acts);
  },
);

test('P21 every screen says so, no command takes it for a real vote, and it leaves nothing, whatever the environment names', async () => {
  const TMPDIR = testFolder();
  const COVERS = testFolder();
  const DATABASE = join(TMPDIR, 'real.sqlite');
  const file = join(COVERS, 'my-games.json');
  writeFileSync(join(COVERS, 'own.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(file, JSON.stringify([buildNominee({ id: 'own', url: '/covers/own.svg' })]));
  const environment = { TMPDIR, COVERS, DATABASE, PUBLIC_URL: 'https://vote.example' };
  const { address, stderr, stop } = await start(environment, [DEMO, file]);
  for (const screen of ['inicio', 'goty']) {
    const html = await (await fetch(`${address}/${screen}`)).text();
    expect(html).toContain(`<body data-rehearsal="${REHEARSAL}">`);
    expect(html).toContain(`property="og:title" content="${REHEARSAL} · `);
    expect(html).not.toContain('vote.example');
  }
  expect((await fetch(`${address}/covers/own.svg`)).status).toBe(200);
  await expect(check(address, {})).rejects.toThrow(`${address} is a rehearsal.`);
  expect(existsSync(DATABASE)).toBe(false);
  await stop();
  expect(await stderr).not.toContain('PUBLIC_URL');
  expect(readdirSync(TMPDIR)).toEqual([]);
});

test.each(['start', 'demo', 'dev', 'emulators', 'package'])(
  'P20 `%s --help` says what it does and does nothing, and an option that is none is refused',
  async (name) => {
    const help = runCommand(name, ['--help']);
    expect(await text(help.stdout)).toMatch(new RegExp(`^Usage: npx -y pnpm@12 (run )?${name}\\b`));
    expect(await help.exit).toEqual([0, null]);
    const wrong = runCommand(name, ['--nonsense']);
    expect(await wrong.stderr).toMatch(/^Usage: /);
    expect(await wrong.exit).toEqual([2, null]);
  },
);

test('P21 a rehearsal that cannot start says why in one line, and leaves nothing', async () => {
  const TMPDIR = testFolder();
  const { exit, stderr } = run({ TMPDIR }, [DEMO, 'gone.json']);
  expect(await exit).toEqual([1, null]);
  expect(await stderr).toMatch(/^\S+gone.json cannot be read: .*\n$/);
  expect(readdirSync(TMPDIR)).toEqual([]);
});
