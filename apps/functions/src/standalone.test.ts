import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { get, request } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { exchange, responseTo } from '../testing/http.ts';
import {
  countBallots,
  manyConnections,
  refusal,
  runCommand,
  start,
  vote,
  votosIn,
} from '../testing/process.ts';
import { onFile, openServerStore } from '../testing/sqlite.ts';
import { PROJECT_ROOT } from './runtime/project-root.ts';

test('P1 P3 P6 a second process on a database or a port is refused, and after kill -9 the votes of the first are there', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const link = `${DATABASE}-link`;
  symlinkSync(DATABASE, link);
  const { child, exit, port } = await start({ DATABASE: link });
  expect(await vote(port, 'a')).toBe(200);
  expect(await refusal({ DATABASE })).toBe(
    `The database ${DATABASE} is in use by another process: stop that one first.\n`,
  );
  const other = join(testFolder(), 'new', 'goty.sqlite');
  expect(await refusal({ DATABASE: other, PORT: String(port) })).toBe(
    `Port ${port} is in use: stop the other program or set PORT.\n`,
  );
  expect(existsSync(dirname(other))).toBe(false);
  child.kill('SIGKILL');
  await exit;
  const again = await start({ DATABASE });
  expect(await vote(again.port, 'a')).toBe(200);
  expect(votosIn(DATABASE)).toMatchObject({ 'hades-2': 1 });
  await again.stop();
  expect(countBallots(DATABASE)).toEqual({ ballots: 1 });
});

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

test.each(SIGNALS)('P4 %s: votes in flight are answered, the exit code is 0', async (signal) => {
  const { child, DATABASE, exit, port } = await start();
  const streamed = text(await responseTo(get({ port, path: '/api/goty/live' })));
  const agent = manyConnections();
  // The server has the headers of this vote before the signal, as it says itself.
  const headers = { 'Content-Length': '2', Expect: '100-continue' };
  const late = request({ agent, port, method: 'POST', path: '/api/goty/hades-2', headers });
  late.flushHeaders();
  await once(late, 'continue');
  expect(await vote(port, 'a', agent)).toBe(200);
  const answered = responseTo(late);
  child.kill(signal);
  late.end('{}');
  expect(await streamed).toContain('data: [');
  expect((await answered).statusCode).toBe(200);
  expect(await exit).toEqual([0, null]);
  expect(countBallots(DATABASE)).toEqual({ ballots: 2 });
  expect(readdirSync(dirname(DATABASE))).toEqual(['goty.sqlite', 'goty.sqlite-lock']);
});

test('P10 N2 others can read the database and write nominees to it while votes arrive', async () => {
  const { address, DATABASE, port, stop } = await start();
  const agent = manyConnections();
  const database = new DatabaseSync(DATABASE, { timeout: 5_000 });
  const sums = database.prepare(`SELECT (SELECT sum(votos) FROM goty) AS votos,
                                        (SELECT count(*) FROM ballots) AS ballots`);
  const rename = database.prepare("UPDATE goty SET name = ? WHERE id = 'hades-2'");
  const votes = Array.from({ length: 200 }, async (_, index) => {
    const status = await vote(port, `key-${index}`, agent);
    const { votos, ballots } = sums.get() ?? {};
    if (index % 10 === 0) rename.run(`Hades ${index}`);
    return [status, votos === ballots];
  });
  expect(new Set((await Promise.all(votes)).map(String))).toEqual(new Set(['200,true']));
  rename.run('Hades III');
  await expect.poll(async () => (await fetch(`${address}/api/goty`)).text()).toContain('Hades III');
  database.exec("INSERT INTO goty VALUES ('new', 'Nuevo', '/covers/new.svg', 0, 0, 0)");
  const added = await fetch(`${address}/api/goty/new`, { method: 'POST' });
  expect([added.status, sums.get()]).toEqual([200, { votos: 201, ballots: 201 }]);
  database.close();
  await stop();
});

test('P10 a server that starts while a command writes waits for it', async () => {
  const DATABASE = join(testFolder(), 'goty.sqlite');
  await openServerStore(DATABASE).close();
  rmSync(`${DATABASE}-lock`);
  const command = new DatabaseSync(DATABASE);
  command.exec('BEGIN EXCLUSIVE');
  const starting = start({ DATABASE });
  // It has claimed the database and is about to open it.
  await expect.poll(() => existsSync(`${DATABASE}-lock`)).toBe(true);
  command.exec('COMMIT');
  command.close();
  expect((await fetch(`${(await starting).address}/api/health`)).status).toBe(200);
});

test('P2 HOST and VOTE_POLICY reach the server, and a misspelt variable is named', async () => {
  const environment = { HOST: '127.0.0.2', VOTE_POLICY: 'one-per-visitor', VOTE_POLCY: 'x' };
  const { address, port, stderr, stop } = await start(environment);
  expect(address).toBe(`http://127.0.0.2:${port}`);
  const response = await fetch(`${address}/api/goty/hades-2`, { method: 'POST' });
  expect(response.headers.get('set-cookie')).toMatch(/^goty-visitor=/);
  await expect(fetch(`http://127.0.0.1:${port}/api/health`)).rejects.toThrow();
  await stop();
  expect(await stderr).toContain('VOTE_POLCY is not a variable of GOTY: is it VOTE_POLICY?\n');
  expect(await stderr).toContain('Set PUBLIC_URL to the address that visitors open: ');
  const known = await start({ PUBLIC_URL: 'https://vote.example' });
  await known.stop();
  expect(await known.stderr).toBe('');
});

test('B17 with a page, too, a target that is no path is 404 for every method', async () => {
  const { port } = await start();
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
    expect([method, (await exchange({ port, method, path: '*' })).status]).toEqual([method, 404]);
  }
});

const older = (header: string) =>
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } });process.report.getReport = () => ({ header: ${header} })`;

test('P3 an older Node is reported in one line', async () => {
  // Alpine has no glibc, which Node's own builds need.
  for (const [name, header, advice] of [
    ['start', '{ glibcVersionRuntime: 2 }', 'install it from https://nodejs.org'],
    [
      'demo',
      '{}',
      'the one that GOTY brings along needs glibc, which Alpine and its like do not have',
    ],
  ] as const) {
    const refused = runCommand(name, [], ['--import', older(header)]);
    expect(await refused.exit).toEqual([1, null]);
    expect(await refused.stderr).toMatch(
      new RegExp(
        `^GOTY needs Node 24 or later, but this is 20.19.0: ${advice}.*, and try again\\.\n$`,
      ),
    );
  }
});

const hasOwnNode = existsSync(join(PROJECT_ROOT, `node_modules/node-linux-${process.arch}`));

test.skipIf(!hasOwnNode)(
  'P3 O8 with an older Node a command runs on the one that comes with the dependencies',
  async () => {
    const { exit, stderr } = runCommand('goty', ['nonsense'], ['--import', older('{}')]);
    expect(await stderr).toContain("error: unknown command 'nonsense'");
    expect(await exit).toEqual([2, null]);
  },
);

const VISITOR = 'a'.repeat(32);

test.each([
  ['unlimited', 3],
  ['one-per-visitor', 1],
])('B15 with %s neither a ballot nor a log tells of its visitor', async (VOTE_POLICY, votes) => {
  const environment = { TRUST_PROXY: '1', VOTE_POLICY, VOTES_PER_MINUTE: '3' };
  const { child, DATABASE, port, stderr, stop } = await start(environment);
  const folder = dirname(DATABASE);
  let log = '';
  child.stdout.on('data', (chunk) => {
    log += chunk;
  });
  const send = async (method: string, path: string, key: string) => {
    const headers = {
      'X-Forwarded-For': '203.0.113.77',
      'User-Agent': 'Recognizable/1.0',
      'Accept-Language': 'qu-PE',
      Referer: 'https://referrer.example/',
      Cookie: `goty-visitor=goty-${VISITOR}; other=recognizable`,
      'Idempotency-Key': key,
    };
    return (await exchange({ port, method, path, headers })).status;
  };
  for (const [vote, status] of [200, 200, 200, 429].entries()) {
    expect(await send('POST', '/api/goty/hades-2', `key-${vote}`)).toBe(status);
  }
  await send('POST', '/api/goty/nothing%ff', 'key');
  await send('GET', '/nothing.php', 'key');
  // What is only in the write-ahead log counts as stored, too.
  const stored = () =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  const before = stored();
  await stop();

  const ballots = onFile(DATABASE, (database) => database.prepare('SELECT * FROM ballots').all());
  const others = { game: 'hades-2', voided: null, at: expect.any(Number) };
  const id = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(ballots).toEqual(Array(votes).fill({ id, ...others }));
  log += await stderr;
  const everything = [...before, ...stored(), log].join('\n');
  expect(everything).toContain('hades-2');
  expect(everything).not.toMatch(/203\.0\.113|127\.0\.0\.1|Recogniz|qu-PE|referrer|recogniz/);
  expect(everything).not.toMatch(new RegExp(`${VISITOR}|key-\\d`));
});
