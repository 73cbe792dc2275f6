import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { describe, expect, test } from 'vitest';
import { HOMES, openVote } from '../testing/operator-homes.ts';
import { ballotsOf } from './commands/export.ts';

for (const { name, home, isMissing } of HOMES) {
  describe.skipIf(isMissing)(`goty in ${name}`, () => {
    /** A vote with the nominees a and b, and ballots with these ids. */
    async function openWithBallots(ballots: Record<string, string[]>) {
      const vote = await openVote(home);
      expect((await vote.goty('nominees', 'set', 'n.csv')).status).toBe(0);
      for (const [game, ids] of Object.entries(ballots)) {
        await vote.use((store) => store.commit(ids.map((id) => ({ id, game, at: 5 }))));
      }
      return vote;
    }

    test('O2 nominees are set and listed, and a change says what it does', async () => {
      const { folder, goty, use } = await openVote(home);
      const dry = await goty('nominees', 'set', 'n.csv', '--dry-run');
      expect(dry.stdout).toMatch(
        /add +a: Uno, \/a.svg\n(.*\n)2 nominees added, 0 changed: not done/,
      );
      expect(await use((store) => store.games())).toEqual([]);
      expect((await goty('nominees', 'set', 'n.csv')).status).toBe(0);
      const csv = (await goty('nominees', 'list', '--csv')).stdout;
      expect(csv).toBe(`id,name,url\na,Uno,/a.svg\nb,"'=Dos",/b.svg\n`);
      await use((store) => store.commit([{ id: '1', game: 'a', at: 5 }]));
      writeFileSync(join(folder, 'm.csv'), csv.replace('Uno', 'One').replace(/b,.*/, 'c,C,/c'));
      const { stdout } = await goty('nominees', 'set', 'm.csv');
      expect(stdout).toContain(
        'change  a: name from Uno to One\nkeep    b, which is not in the file',
      );
      expect(await use((store) => store.games())).toEqual([
        { id: 'a', name: 'One', url: '/a.svg', votos: 1 },
        { id: 'b', name: '=Dos', url: '/b.svg', votos: 0 },
        { id: 'c', name: 'C', url: '/c', votos: 0 },
      ]);
    });

    test('O3 a nominee with votes is removed after a question only', async () => {
      const { goty } = await openWithBallots({ a: ['1', '2'] });
      const asked = await goty('nominees', 'remove', 'a');
      expect([asked.status, asked.stderr]).toEqual([
        1,
        'Remove a with 2 votes? Its voters can vote again. Nothing was changed: add --yes to do it.\n',
      ]);
      expect((await goty('nominees', 'remove', 'a', '--yes')).stdout).toBe(
        'Removed a with 2 votes.\n',
      );
      expect((await goty('audit')).status).toBe(0);
      expect((await goty('nominees', 'remove', 'a')).stderr).toBe('There is no nominee a.\n');
    });

    test('O4 the results are a ranking with shares, as text, CSV and JSON', async () => {
      const { goty } = await openWithBallots({ b: ['1', '2'], a: ['3'] });
      expect((await goty('results')).stdout).toBe(
        '1  =Dos   2   66.7 %\n2  Uno    1   33.3 %\n   Total  3\n',
      );
      expect((await goty('results', '--csv')).stdout).toBe(
        `rank,id,name,votos,share\n1,b,"'=Dos",2,66.7\n2,a,Uno,1,33.3\n`,
      );
      expect(JSON.parse((await goty('results', '--json')).stdout)).toMatchObject({
        total: 3,
        ranking: [{ rank: 1, id: 'b', votos: 2 }, { rank: 2 }],
      });
    });

    test('O5 the audit names each difference, and repairs it', async () => {
      const { damage, goty } = await openWithBallots({ a: ['1', '2'] });
      expect(await goty('audit')).toMatchObject({
        status: 0,
        stdout: 'Recounted 2 ballots: every sum is right.\n',
      });
      await damage();
      expect(await goty('audit')).toMatchObject({
        status: 3,
        stdout: expect.stringContaining(
          'a: votos is 999, but it has 2 ballots\naway: there is no such game, but it has 1 ballot\n',
        ),
      });
      expect(await goty('audit', '--repair')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('remove 1 ballot of away?'),
      });
      expect((await goty('audit')).stdout).toContain('a: votos is 999');
      expect(await goty('audit', '--repair', '--yes')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('Removed 1 ballot of away.\n'),
      });
      expect((await goty('audit')).status).toBe(0);
    });

    test('O10 the vote is opened and closed, now or at a time', async () => {
      const { goty, use } = await openVote(home);
      const says = async (...args: string[]) => {
        const { status, stdout, stderr } = await goty(...args);
        return `${status}: ${stdout}${stderr}`;
      };
      expect(await says('status')).toBe('0: The vote is open.\n');
      expect(await says('open', '--at', '2126-01-01T20:00+01:00')).toBe(
        '0: The vote is not open yet.\nIt opens at 2126-01-01T19:00:00.000Z.\n',
      );
      for (const time of ['2126-01-01T20:00', '2126-02-30T20:00Z', '1969-01-01T00:00Z']) {
        expect(await says('close', '--at', time)).toMatch(/^2: .* is not a time with its zone/);
      }
      expect(await says('close', '--at', '2126-01-01T18:00Z')).toMatch(/^1: /);
      expect(await says('close', '--at', '2127-01-01T00:00Z')).toMatch(/^0: /);
      expect(await says('open', '--at', '2127-01-01T00:00Z')).toMatch(
        /^1: The vote would open after it closes, 2127-[^\n]*\n$/,
      );
      expect(JSON.parse((await goty('status', '--json')).stdout)).toEqual({
        state: 'not open yet',
        opensAt: '2126-01-01T19:00:00.000Z',
        closesAt: '2127-01-01T00:00:00.000Z',
      });
      expect(await says('open')).toMatch(/^0: The vote is open.\nIt closes at 2127/);
      expect(await says('close')).toMatch(/^0: The vote is closed.\nIt closed at /);
      expect(await says('open', '--at', '2126-01-01T20:00Z')).toMatch(/^0: /);
      expect(await says('close')).toMatch(/^0: The vote is closed.\nIt closed at /);
      expect(await says('open')).toBe('0: The vote is open.\n');
      expect((await use((store) => store.state())).times).toEqual({});
    });

    test('O6 an export while a nominee is added and voted for has the vote without it', async () => {
      const { goty, use } = await openWithBallots({ a: ['1'] });
      await use(async (store) => {
        const games = await store.games();
        await store.setNominees([buildNominee({ id: 'new' })]);
        await store.commit([{ id: '2', game: 'new', at: 5 }]);
        for await (const ballot of ballotsOf(store, games)) expect(ballot.game).toBe('a');
      });
      expect((await goty('export', 'all.ndjson')).stdout).toMatch(/^Wrote 2 ballots /);
    });

    test('O10 a closed vote stays closed since it was, unless that is confirmed', async () => {
      const { goty, use } = await openVote(home);
      await use((store) => store.setTimes(() => ({ opensAt: undefined, closesAt: 7_000 })));
      const times = () => use(async (store) => (await store.state()).times);
      expect((await goty('close')).stdout).toContain('It closed at 1970-01-01T00:00:07.000Z.');
      const moved = ['close', '--at', '2126-01-01T18:00Z'];
      expect((await goty(...moved)).stderr).toMatch(
        /^The vote has been closed since 1970-[^\n]*\n$/,
      );
      expect(await times()).toEqual({ closesAt: 7_000 });
      expect((await goty(...moved, '--yes')).stdout).toMatch(/^The vote is open\./);
      const past = ['close', '--at', '2026-01-01T18:00Z'];
      expect((await goty(...past)).stderr).toMatch(/^2026-[^\n]* is past, and votes [^\n]*\n$/);
      expect((await goty(...past, '--yes')).stdout).toMatch(/^The vote is closed\./);
    });

    test('O6 an import that turns names back says so and asks', async () => {
      const { folder, goty, use } = await openWithBallots({});
      await goty('export', 'old.ndjson');
      writeFileSync(join(folder, 'm.csv'), 'id,name,url\na,One,/a.svg\n');
      await goty('nominees', 'set', 'm.csv');
      expect(await goty('import', 'old.ndjson')).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(
          /^change {2}a: name from One to Uno\n(.*\n)*.* with other texts\. /,
        ),
      });
      expect((await use((store) => store.games()))[0]?.name).toBe('One');
      expect((await goty('import', 'old.ndjson', '--yes')).status).toBe(0);
    });

    test('O7 a reset of a closed vote says that it stays closed', async () => {
      const { goty } = await openWithBallots({ a: ['1'] });
      await goty('close');
      expect((await goty('reset', 'old.ndjson', '--yes')).stdout).toMatch(
        /The vote stays closed: `goty open` opens it\.\n$/,
      );
    });

    test('O7 a reset exports the vote, and removes exactly its ballots', async () => {
      const { folder, goty, use } = await openWithBallots({ a: ['1', '2'] });
      expect((await goty('reset', 'old.ndjson')).status).toBe(1);
      expect(existsSync(join(folder, 'old.ndjson'))).toBe(false);
      writeFileSync(join(folder, 'taken.ndjson'), '');
      expect((await goty('reset', 'taken.ndjson', '--yes')).stderr).toMatch(
        /exists: name another file/,
      );
      expect((await goty('reset', 'old.ndjson', '--yes')).status).toBe(0);
      expect((await use((store) => store.games())).map(({ votos }) => votos)).toEqual([0, 0]);
      expect((await goty('import', 'old.ndjson')).status).toBe(0);
      expect(await use((store) => store.recount())).toMatchObject([{ ballots: 2 }, { ballots: 0 }]);
    });
  });
}
