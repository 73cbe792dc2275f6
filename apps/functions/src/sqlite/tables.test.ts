import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { run } from '../../testing/process.ts';
import { onFile, openServerStore, snapshot, testDatabase } from '../../testing/sqlite.ts';
import { changeBallots, reveal } from '../acts/acts.ts';
import type { Ballot } from '../votes/ballot.ts';
import { hasRightSum, type VoteStore } from '../votes/vote-store.ts';
import { openForOperator, openSqliteStore } from './database.ts';
import { readHeader } from './files.ts';
import { MIGRATIONS, type Migration, newestSchema } from './tables.ts';

/** The votes of earlier versions, and how they were made. */
const VOTES = join(import.meta.dirname, '../../testing/votes');
const SCHEMAS = readdirSync(VOTES).flatMap(
  (name) => /^schema-(\d+)\.sqlite$/.exec(name)?.[1] ?? [],
);
/** By the commands of 1.0.0: see the README beside it. */
const EVENING = '8-evening';

/** What a next version might do: a new column, and a table that others refer to made anew. */
const STEPS: readonly Migration[] = [
  ...MIGRATIONS,
  (database) => database.exec("ALTER TABLE goty ADD COLUMN note TEXT NOT NULL DEFAULT 'none yet'"),
  (database) =>
    database.exec(`
      CREATE TABLE goty_next (id TEXT PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL, votos INTEGER NOT NULL,
        hidden INTEGER NOT NULL, writes INTEGER NOT NULL, note TEXT NOT NULL DEFAULT '') STRICT, WITHOUT ROWID;
      INSERT INTO goty_next SELECT id, name, url, votos, hidden, writes, note || '!' FROM goty;
      DROP TABLE goty;
      ALTER TABLE goty_next RENAME TO goty`),
];
const NEWEST = newestSchema(MIGRATIONS);

/** The vote of that schema, in a folder of its own. */
function oldVote(schema = String(NEWEST)) {
  const { folder, path } = testDatabase();
  copyFileSync(join(VOTES, `schema-${schema}.sqlite`), path);
  return { folder, path, copy: `${path}-schema-${schema}` };
}

/** Opens it as the server of a next version does. */
function startNext(path: string, migrations = STEPS) {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const store = openSqliteStore({ path, firstNominees: () => [], note, migrations });
  onTestFinished(() => store.close().catch(() => {}));
  return { lines, store };
}

/** Tables, columns, indexes and triggers. */
const tablesIn = (path: string) =>
  onFile(path, (database) =>
    database
      .prepare(
        `SELECT m.type, m.name, c.name AS column, c.type AS kind, c."notnull", c.dflt_value, c.pk,
           iif(m.type = 'table', '', m.sql) AS sql
         FROM sqlite_schema AS m LEFT JOIN pragma_table_info(m.name) AS c ON m.type = 'table'
         ORDER BY m.type, m.name, c.name`,
      )
      .all()
      .map((row) => ({ ...row, sql: String(row.sql).replaceAll(/\s+/g, ' ') })),
  );

const votosOf = async (store: VoteStore) =>
  Object.fromEntries((await store.games()).map(({ id, votos }) => [id, votos]));

/** What 1.0.0 showed of each game, and its ballots that are not voided. */
const oldSumsIn = (path: string) =>
  onFile(path, (database) =>
    database
      .prepare(
        `SELECT id, votos, (SELECT count(*) FROM ballots WHERE game = goty.id AND voided IS NULL) AS ballots
         FROM goty ORDER BY id`,
      )
      .all()
      .map(({ id, votos, ballots }) => [id, votos, ballots]),
  );

test('P22 there is a vote of each schema since 1.0.0, the present one included', () => {
  expect(SCHEMAS.map(Number).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: NEWEST - 7 }, (_, index) => 8 + index),
  );
  for (const schema of SCHEMAS)
    expect(readHeader(join(VOTES, `schema-${schema}.sqlite`))?.userVersion).toBe(Number(schema));
});

test.each(SCHEMAS)('P22 a vote of schema %s opens, with all that it had', async (schema) => {
  const { path } = oldVote(schema);
  const store = openServerStore(path);
  expect(await votosOf(store)).toEqual({ a: 2, b: 1, c: 2 });
  const { times } = await store.state();
  expect([times.frozenAt, times.closesAt]).toEqual([expect.any(Number), expect.any(Number)]);
  expect((await store.hidden()).votes).toEqual(new Map([...Object.entries({ a: 1, b: 1 })]));
  const record = await store.record();
  const acts = ['init', 'times', 'void', 'times'];
  const hasCodes = Number(schema) >= 9;
  expect(record.map(({ what }) => what)).toEqual(hasCodes ? [...acts, 'codes'] : acts);
  expect((await store.state()).codeKey?.made).toBe(hasCodes ? 2 : undefined);
  expect(await store.voids()).toMatchObject([{ act: record[2]?.id, votes: 1 }]);
  const ballots: Ballot[] = [];
  for await (const ballot of store.ballots()) ballots.push(ballot);
  expect(ballots.map(({ game }) => game).join('')).toBe('ababccaa');
  expect(ballots.filter(({ voided }) => voided).map(({ id }) => id)).toEqual(['before-2']);
  await store.change(reveal('command'));
  expect(await votosOf(store)).toEqual({ a: 3, b: 2, c: 2 });
  expect(await store.commit([{ id: 'new', game: 'b', at: Date.now() }])).toEqual(['counted']);
  await store.close();
  const fresh = join(testFolder(), 'goty.sqlite');
  await openServerStore(fresh).close();
  expect(tablesIn(path)).toEqual(tablesIn(fresh));
});

test('P22 V1 V10 V11 an evening of 1.0.0 shows what it showed, and its reveal what was voted', async () => {
  const { path } = oldVote(EVENING);
  const shown = { a: 4, b: 4, c: 2 };
  const truth = { a: 3, b: 6, c: 3 };
  const games = ['a', 'b', 'c'] as const;
  expect(oldSumsIn(path)).toEqual(games.map((id) => [id, shown[id], truth[id]]));
  const store = openServerStore(path);
  expect(await votosOf(store)).toEqual(shown);
  const hidden = games.map((id) => [id, truth[id] - shown[id]] as const);
  expect((await store.hidden()).votes).toEqual(new Map(hidden));
  // One more of before the freeze, and one of since, which is not seen.
  const { frozenAt = 0 } = (await store.state()).times;
  const all: Ballot[] = [];
  for await (const ballot of store.ballots({ game: 'b' })) all.push(ballot);
  const early = all.filter(({ at }) => at < frozenAt).slice(0, 1);
  const late = all.filter(({ at }) => at >= frozenAt).slice(0, 1);
  for (const group of [early, late])
    expect(await store.change(changeBallots(group, { voidedBy: 'new' }))).toBe(1);
  expect(await votosOf(store)).toEqual({ ...shown, b: 3 });
  await store.change(reveal('command'));
  expect(await votosOf(store)).toEqual({ ...truth, b: 4 });
  expect((await store.recount()).every(hasRightSum)).toBe(true);
});

test('P22 V1 a database of 1.0.0 whose sums are wrong is refused, and left to that version', () => {
  const { folder, path } = oldVote(EVENING);
  onFile(path, (database) => database.exec("UPDATE goty SET votos = 9 WHERE id = 'a'"));
  const before = snapshot(folder);
  expect(() => startNext(path, MIGRATIONS)).toThrow(
    /and is as it was: a: votos is 9 and -1 hidden, but it has 3 ballots\. [^\n]* mends it\. The commands of the version before still open it\.$/,
  );
  expect(snapshot(folder)).toEqual(before);
});

test('P22 P23 a start takes the steps from what is there, keeps a copy until the next start, and says so', async () => {
  const { folder, path, copy } = oldVote();
  // As after a kill in the middle of it.
  writeFileSync(`${copy}.part`, 'half a copy');
  const { lines, store } = startNext(path);
  expect(lines).toEqual([
    `${path} was brought from schema ${NEWEST} to ${NEWEST + 2}. ${copy} is what it was before, until the next start.`,
  ]);
  expect(await votosOf(store)).toEqual({ a: 2, b: 1, c: 2 });
  expect(await store.commit([{ id: 'new', game: 'b', at: 1 }])).toEqual(['counted']);
  await store.close();
  const notes = onFile(path, (database) => database.prepare('SELECT note FROM goty').all());
  expect(notes).toEqual([...'abc'].map(() => ({ note: 'none yet!' })));
  expect(Object.keys(snapshot(folder))).toEqual(['goty.sqlite', `goty.sqlite-schema-${NEWEST}`]);
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(await votosOf(openServerStore(copy))).toEqual({ a: 2, b: 1, c: 2 });
  expect(startNext(path).lines).toEqual([]);
  expect(existsSync(copy)).toBe(false);
});

test('P23 a database and its other files are for their owner alone', async () => {
  const { folder, path } = testDatabase();
  await openServerStore(path).commit([{ id: '1', game: 'a', at: 1 }]);
  const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
});

test('P22 the version before goes on with the copy under the name of the database', async () => {
  const { path, copy } = oldVote();
  const { store } = startNext(path);
  await store.commit([{ id: 'new', game: 'b', at: 1 }]);
  await store.close();
  renameSync(copy, path);
  const old = openServerStore(path);
  expect(await votosOf(old)).toEqual({ a: 2, b: 1, c: 2 });
  expect(await old.commit([{ id: 'new', game: 'b', at: 1 }])).toEqual(['counted']);
  await old.close();
  expect(startNext(path).lines).toHaveLength(1);
  expect(existsSync(copy)).toBe(true);
});

test('P22 a database of the version before last takes its last step alone', async () => {
  const { path } = oldVote();
  await startNext(path, STEPS.slice(0, -1)).store.close();
  expect(startNext(path).lines).toEqual([
    expect.stringContaining(` was brought from schema ${NEWEST + 1} to ${NEWEST + 2}. `),
  ]);
});

test.each([
  [
    'a step fails',
    [...STEPS, (database: DatabaseSync) => database.exec('SELECT missing FROM goty')],
    (_part: string) => {},
    'no such column: missing',
  ],
  [
    'no copy can be written',
    STEPS,
    (part: string) => symlinkSync('missing/file', part),
    'no copy can be written to [^\\n]* \\(ENOENT: [^\\n]*\\)',
  ],
])('P22 if %s, the server refuses and changes nothing', async (_what, steps, prepare, reason) => {
  const { path, copy } = oldVote();
  const { folder } = testDatabase();
  prepare(`${copy}.part`);
  const files = () => {
    copyFileSync(path, join(folder, 'now'));
    return snapshot(folder);
  };
  const before = files();
  expect(() => startNext(path, steps)).toThrow(
    RegExp(
      `^${path} cannot be brought from schema \\d+ to \\d+, and is as it was: ${reason}\\. [^\\n]*$`,
    ),
  );
  expect(files()).toEqual(before);
  expect(existsSync(copy)).toBe(false);
  expect(await votosOf(openServerStore(path))).toEqual({ a: 2, b: 1, c: 2 });
});

test('P22 if no copy can be written, that of a start that was killed stays', () => {
  const { path, copy } = oldVote();
  writeFileSync(copy, 'of before');
  symlinkSync('missing/file', `${copy}.part`);
  expect(() => startNext(path)).toThrow(/ no copy can be written to /);
  expect(readFileSync(copy, 'utf8')).toBe('of before');
});

test('P22 P5 a database that lacks acknowledged votes is refused before anything is done', async () => {
  const running = oldVote();
  const { folder, path } = testDatabase();
  const store = openServerStore(running.path);
  await store.commit([{ id: 'new', game: 'b', at: 1 }]);
  for (const end of ['', '-lock']) copyFileSync(`${running.path}${end}`, `${path}${end}`);
  const before = snapshot(folder);
  expect(() => startNext(path)).toThrow(/ lacks its newest votes: /);
  expect(snapshot(folder)).toEqual(before);
  copyFileSync(`${running.path}-wal`, `${path}-wal`);
  expect(await votosOf(startNext(path).store)).toEqual({ a: 2, b: 2, c: 2 });
});

test('P22 while it is migrated nobody else can read it, and a command refuses the old one', async () => {
  const { folder, path } = oldVote();
  const before = snapshot(folder);
  expect(() => openForOperator(path, STEPS)).toThrow(
    /^[^\n]* comes from an earlier version of GOTY: stop its server, if one is running, and start that of this version, /,
  );
  // As `init` opens it.
  expect(() => openSqliteStore({ path, firstNominees: () => [], migrations: STEPS })).toThrow(
    / comes from an earlier version of GOTY: /,
  );
  expect(snapshot(folder)).toEqual(before);
  const codes: unknown[] = [];
  const look: Migration = () => {
    using other = new DatabaseSync(path, { timeout: 0, readOnly: true });
    try {
      other.prepare('SELECT * FROM goty').all();
    } catch (error) {
      codes.push(error);
    }
    expect(() => openServerStore(path)).toThrow(/ is in use by another process: /);
  };
  startNext(path, [...STEPS, look]);
  expect(codes).toEqual([expect.objectContaining({ errcode: 5 })]);
});

test('P22 a server of the next version refuses a database that another program has open', async () => {
  const { folder, path } = oldVote();
  const operator = openForOperator(path);
  expect(() => startNext(path)).toThrow(/^The database [^\n]* is in use by another process: /);
  expect(readdirSync(folder).filter((name) => name.includes('schema'))).toEqual([]);
  expect(await votosOf(operator)).toEqual({ a: 2, b: 1, c: 2 });
  await operator.close();
  expect(startNext(path).lines).toHaveLength(1);
});

test('P22 a server that is killed in the middle of a step leaves the old database', async () => {
  const { path, copy } = oldVote();
  onFile(path, (database) =>
    database.exec(`
      WITH RECURSIVE ids (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM ids LIMIT 20000)
      INSERT INTO ballots (id, game, at) SELECT 'key-' || id, 'a', 1 FROM ids;
      UPDATE goty SET votos = votos + 20000 WHERE id = 'a'`),
  );
  // More than fits into the cache, so that half of it is in the file.
  const { child, exit, stdout } = run({}, [
    '--input-type=module',
    '--eval',
    `import { openSqliteStore } from '${join(import.meta.dirname, 'database.ts')}';
     import { MIGRATIONS } from '${join(import.meta.dirname, 'tables.ts')}';
     openSqliteStore({ path: '${path}', firstNominees: () => [], note() {}, migrations: [...MIGRATIONS, (database) => {
       database.exec('PRAGMA cache_size = 1; DROP TABLE record; UPDATE ballots SET at = 2');
       console.log('half');
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
     }] });`,
  ]);
  for await (const chunk of stdout) if (String(chunk).includes('half')) break;
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  const left = testDatabase().path;
  for (const end of ['', '-journal', '-lock']) copyFileSync(`${path}${end}`, `${left}${end}`);
  expect(readHeader(left)?.userVersion).toBe(NEWEST);
  const old = openServerStore(left);
  expect(await votosOf(old)).toEqual({ a: 20_002, b: 1, c: 2 });
  const times = onFile(left, (database) =>
    database.prepare("SELECT DISTINCT at FROM ballots WHERE id LIKE 'key-%'").all(),
  );
  expect(times).toEqual([{ at: 1 }]);
  expect(await old.voids()).toHaveLength(1);
  rmSync(copy);
  expect(await votosOf(startNext(path).store)).toEqual({ a: 20_002, b: 1, c: 2 });
  expect(existsSync(copy)).toBe(true);
});

/** Opens the database. Returns what is in its folder before each statement: as much as a kill at that moment would leave. */
function openInSteps(folder: string, path: string): string[] {
  const left: string[] = [];
  const { exec } = DatabaseSync.prototype;
  const spy = vi.spyOn(DatabaseSync.prototype, 'exec');
  spy.mockImplementation(function (this: DatabaseSync, sql) {
    for (const statement of sql.split(/;\n/)) {
      // What has been changed is written to the file at once, and not only at the end.
      exec.call(this, 'PRAGMA cache_size = 1');
      const copy = testFolder();
      cpSync(folder, copy, { recursive: true });
      left.push(copy);
      exec.call(this, statement);
    }
  });
  const store = openSqliteStore({ path, firstNominees: () => [], note() {} });
  spy.mockRestore();
  onTestFinished(() => store.close());
  return left;
}

test('P22 a server that is killed at any statement leaves the old database or the new one', async () => {
  const { folder, path } = oldVote(EVENING);
  const before = oldSumsIn(path);
  const schemas: unknown[] = [];
  for (const left of openInSteps(folder, path)) {
    const found = join(left, basename(path));
    // With the journal, as whoever opens it next.
    const schema = onFile(found, (database) => database.prepare('PRAGMA user_version').get());
    if (schema?.user_version === 8) expect(oldSumsIn(found)).toEqual(before);
    schemas.push(schema?.user_version);
    const store = openServerStore(found);
    expect(Object.entries(await votosOf(store))).toEqual(before.map(([id, votos]) => [id, votos]));
    expect((await store.recount()).map(({ ballots }) => ballots)).toEqual(
      before.map(([, , ballots]) => ballots),
    );
    await store.close();
  }
  expect(new Set(schemas)).toEqual(new Set([8, NEWEST]));
  // The step alone has twelve.
  expect(schemas.filter((schema) => schema === 8).length).toBeGreaterThan(12);
});
