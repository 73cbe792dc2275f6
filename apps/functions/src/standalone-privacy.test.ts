import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { exchange } from '../testing/http.ts';
import { start } from '../testing/process.ts';
import { onFile } from '../testing/sqlite.ts';

test.each([
  ['unlimited', ['key-0', 'key-1', 'key-2']],
  ['one-per-visitor', ['the-visitor']],
])(
  'B15 with the policy %s, nothing about a visitor is logged, or stored but the id of the ballot',
  async (VOTE_POLICY, ids) => {
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
        Cookie: '__session=the-visitor; other=recognizable',
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
    expect(ballots).toEqual(ids.map((id) => ({ id, game: 'hades-2', at: expect.any(Number) })));
    log += await stderr;
    const everything = [...before, ...stored(), log].join('\n');
    expect(everything).toContain('hades-2');
    expect(everything).not.toMatch(/203\.0\.113|127\.0\.0\.1|Recogniz|qu-PE|referrer|recogniz/);
    expect(log).not.toMatch(/the-visitor|key-\d/);
  },
);
