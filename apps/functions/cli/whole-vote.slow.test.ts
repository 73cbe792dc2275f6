import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseNominees } from '@goty/shared/parse';
import { API_PATHS, API_PREFIX, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { describe, expect, test } from 'vitest';
import { HOMES, openVote } from '../testing/operator-homes.ts';

const VOTERS = 64;
const VOTES = 1_000;
const NOMINEES = 'id,name,url\na,Uno,/covers/a.svg\nb,Dos,https://x.example/b.png\n';
/** How long a change may take (SPEC N3, T2). */
const WITHIN = { timeout: 10_000, interval: 500 };
const RUNS = HOMES.flatMap((from) => HOMES.map((to) => ({ from, to }))).filter(
  ({ from, to }) => from !== to && !from.isMissing && !to.isMissing,
);

describe.skipIf(RUNS.length === 0)('a whole vote', () => {
  test.each(RUNS)(
    'O12 in $from.name is run by commands alone, and moved to $to.name',
    async ({ from, to }) => {
      const { folder, goty, serve, use } = await openVote(from.home);
      const run = (...args: string[]) => {
        const { status, stdout, stderr } = goty(...args);
        expect([args, status, stderr]).toEqual([args, 0, '']);
        return stdout;
      };
      writeFileSync(join(folder, 'vote.csv'), NOMINEES);
      expect(goty('nominees', 'set', 'vote.csv').stderr).toMatch(
        /^The nominees file .*: line 2, field "url": there is no file .*a\.svg that can be read\.\n$/,
      );
      mkdirSync(join(folder, 'covers'));
      writeFileSync(join(folder, 'covers', 'a.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
      run('nominees', 'set', 'vote.csv');
      const address = await serve();
      const list = async () => {
        const path = API_PATHS.nomineesOf(crypto.randomUUID());
        return parseNominees(await (await fetch(`${address}${API_PREFIX}${path}`)).json()) ?? [];
      };
      const vote = async (game: string, key: string) => {
        const url = `${address}${API_PREFIX}${API_PATHS.vote(game)}`;
        const headers = { [IDEMPOTENCY_KEY]: key };
        return (await fetch(url, { method: 'POST', headers })).status;
      };
      const voteAll = async (part: string, votes: number) => {
        const voters = Array.from({ length: VOTERS }, async (_, voter) => {
          for (let press = voter; press < votes; press += VOTERS) {
            expect(await vote(press % 4 === 0 ? 'b' : 'a', `${part}-${press}`)).toBe(200);
          }
        });
        await Promise.all(voters);
      };

      await expect.poll(async () => (await list()).map(({ id }) => id), WITHIN).toEqual(['a', 'b']);

      const voting = voteAll('first', VOTES / 2);
      writeFileSync(join(folder, 'vote.csv'), NOMINEES.replace('Uno', 'One'));
      expect(run('nominees', 'set', 'vote.csv')).toContain('a: name from Uno to One');
      await voting;
      await expect.poll(async () => (await list())[0]?.name, WITHIN).toBe('One');
      await voteAll('second', VOTES / 2);
      if (from.hasBackup) {
        expect(run('backup', 'backup.sqlite')).toContain(`backup.sqlite has ${VOTES} votes.`);
      }

      expect(run('close')).toMatch(/^The vote is closed\./);
      let late = 0;
      const voteLate = async () => vote('a', `late-${late++}`);
      await expect.poll(voteLate, WITHIN).toBe(403);
      const counted = VOTES + late - 1;
      expect(run('audit')).toBe(`Recounted ${counted} ballots: every sum is right.\n`);
      const csv = run('results', '--csv');
      expect(csv).toMatch(/^rank,id,name,votos,share\n1,a,One,75\d,75.*\n2,b,Dos,250,2[45].*\n$/);
      run('export', 'vote.ndjson');

      const target = await openVote(to.home);
      const imported = target.goty('import', join(folder, 'vote.ndjson'));
      expect([imported.status, imported.stdout]).toEqual([
        0,
        `${counted} ballots imported, 0 were there already.\n`,
      ]);
      expect(imported.stderr).toMatch(/^The cover of a is not shown: there is no file .*\n$/);
      expect(target.goty('results', '--csv').stdout).toBe(csv);
      expect(target.goty('status').stdout).toMatch(/^The vote is closed\./);
      expect(target.goty('audit').status).toBe(0);
      target.goty('export', 'again.ndjson');
      expect(readFileSync(join(target.folder, 'again.ndjson'))).toEqual(
        readFileSync(join(folder, 'vote.ndjson')),
      );

      run('reset', 'old.ndjson', '--yes');
      run('open');
      expect((await use((store) => store.games())).map(({ votos }) => votos)).toEqual([0, 0]);
      await expect.poll(() => vote('b', 'first-0'), WITHIN).toBe(200);
      expect(run('audit')).toBe('Recounted 1 ballot: every sum is right.\n');
    },
    240_000,
  );
});
