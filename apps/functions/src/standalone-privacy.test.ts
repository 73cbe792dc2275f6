import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { testFolder } from '../testing/folder.ts';
import { responseTo } from '../testing/http.ts';
import { start } from '../testing/process.ts';
import { onFile } from '../testing/sqlite.ts';

const ADDRESS = '203.0.113.77';
const BROWSER = 'Recognizable/1.0';
const LIMIT = 3;

test.each(['unlimited', 'one-per-visitor'])(
  'B15 with the policy %s, nothing about a visitor is logged, or stored but the id of the ballot',
  async (policy) => {
    const folder = testFolder();
    const DATABASE = join(folder, 'goty.sqlite');
    const { child, exit, port, stderr } = await start({
      DATABASE,
      TRUST_PROXY: '1',
      VOTE_POLICY: policy,
      VOTES_PER_MINUTE: String(LIMIT),
    });
    let log = '';
    child.stdout.on('data', (chunk) => {
      log += chunk;
    });
    const send = async (method: string, path: string, key: string) => {
      const headers = {
        'X-Forwarded-For': ADDRESS,
        'User-Agent': BROWSER,
        'Accept-Language': 'qu-PE',
        Referer: 'https://referrer.example/',
        Cookie: '__session=the-visitor; other=recognizable',
        'Idempotency-Key': key,
      };
      const sent = request({ port, method, path, headers, agent: false }).end();
      const response = await responseTo(sent);
      await text(response);
      return response.statusCode;
    };
    const statuses: unknown[] = [];
    for (let vote = 0; vote <= LIMIT; vote += 1) {
      statuses.push(await send('POST', '/api/goty/hades-2', `key-${vote}`));
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    await send('POST', '/api/goty/nothing%ff', 'key');
    await send('GET', '/nothing.php', 'key');
    // What is in the write-ahead log only is stored, too.
    const stored = () =>
      readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
    const before = stored();
    child.kill('SIGTERM');
    await exit;

    const ids = onFile(DATABASE, (database) =>
      database
        .prepare('SELECT * FROM ballots')
        .all()
        .map((ballot) => {
          expect(Object.keys(ballot)).toEqual(['id', 'game', 'at']);
          return ballot.id;
        }),
    );
    expect(ids).toEqual(policy === 'unlimited' ? ['key-0', 'key-1', 'key-2'] : ['the-visitor']);
    const everything = [...before, ...stored(), log, await stderr].join('\n');
    expect(everything).toContain('hades-2');
    expect(everything).not.toMatch(/203\.0\.113|127\.0\.0\.1|Recogniz|qu-PE|referrer|recogniz/);
    expect(`${log}${await stderr}`).not.toMatch(/the-visitor|key-\d/);
  },
);
