import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Act } from '@goty/shared/act';
import type { StandingsResponse } from '@goty/shared/game';
import { totalVotes } from '@goty/shared/game';
import { rotateTo } from '@goty/shared/nominee';
import { API_PATHS, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { describe, expect, test, vi } from 'vitest';
import { setNominees, setTimes, setVoteId } from '../src/acts/acts.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { ballotsOf } from '../src/votes/vote-store-contract.ts';
import { settled } from '../testing/clock.ts';
import { testWithFirestore } from '../testing/firestore.ts';
import { HOMES, learning, openCloud, openStandalone, openVote } from '../testing/operator-homes.ts';

const VOTERS = 64;
const VOTES = 640;
const STUFFED = 40;
/** How many ballots an interrupted import has brought. */
const IMPORTED = 300;
/** The project has this cover, so a deploy takes it, whatever COVERS is. */
const COVER = 'hades-2.svg';
const NOMINEES = `id,name,url\na,Uno,/covers/${COVER}\nb,Dos,https://x.example/b.png\n`;
/** After which a change is known everywhere (SPEC N3, T2). */
const CHANGE_MS = 10_001;
const RUNS = HOMES.map((from, index) => ({ from, to: HOMES.at(index - 1) ?? from }));

describe.each(RUNS)('a whole vote in $from.name, moved to $to.name', ({ from, to }) => {
  const isMissing = from.isMissing || to.isMissing;

  test.skipIf(isMissing)('O6 O7 O12 is run by commands alone', async () => {
    const { done, folder, says, serve, use } = await openVote(from.home);
    mkdirSync(join(folder, 'covers'));
    writeFileSync(join(folder, 'vote.csv'), NOMINEES.replace(COVER, 'none.svg'));
    const place = from.isStandalone ? folder : PROJECT_ROOT;
    expect(await says('init', 'vote.csv')).toMatch(
      new RegExp(
        `^1: The nominees file .*: line 2, field "url": there is no file .*${place}/covers/none\\.svg that can be read\\.\n$`,
      ),
    );
    writeFileSync(join(folder, 'vote.csv'), NOMINEES);
    writeFileSync(join(folder, 'covers', COVER), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const minutes = (count: number) => new Date(Date.now() + 60_000 * count).toISOString();
    await done('init', 'vote.csv', '--opens', minutes(5), '--closes', minutes(60));
    expect(await says('init', 'vote.csv')).toMatch(/^1: .* has a vote already/);
    const { ask, clock, send } = await serve();
    const read = async (path: string) => JSON.parse(await (await send(path)).text());
    const list = async () => rotateTo(await read(API_PATHS.nominees));
    const vote = async (game: string, key: string) => {
      const headers = { [IDEMPOTENCY_KEY]: key };
      return (await ask(API_PATHS.vote(game), { method: 'POST', headers })).status;
    };
    const voteAll = async (part: string, votes: number) => {
      const voters = Array.from({ length: VOTERS }, async (_, voter) => {
        for (let press = voter; press < votes; press += VOTERS) {
          expect(await vote(press % 4 === 0 ? 'b' : 'a', `${part}-${press}`)).toBe(200);
        }
      });
      await settled(Promise.all(voters), clock);
    };
    const standings = async () => {
      const { standings }: StandingsResponse = await read(API_PATHS.standings);
      return standings.map(({ votos }) => votos);
    };
    expect(await list()).toMatchObject([{ id: 'a' }, { id: 'b' }]);
    expect(await settled(vote('a', 'early'), clock)).toBe(403);
    await done('open');
    await clock.advance(CHANGE_MS);

    const voting = voteAll('first', VOTES / 2);
    writeFileSync(join(folder, 'vote.csv'), NOMINEES.replace('Uno', 'One'));
    expect(await done('nominees', 'set', 'vote.csv')).toContain('a: name from Uno to One');
    await voting;
    await clock.advance(CHANGE_MS);
    expect(await list()).toMatchObject([{ name: 'One' }, {}]);
    await done('freeze');
    await clock.advance(CHANGE_MS);
    await voteAll('second', VOTES / 2);
    // Not in the millisecond of a vote before it.
    await setTimeout(2);
    const start = new Date().toISOString();
    await voteAll('stuffed', STUFFED);
    await setTimeout(2);
    const end = new Date().toISOString();
    await clock.advance(CHANGE_MS);
    const frozen = [(VOTES / 2) * 0.75, (VOTES / 2) * 0.25];
    expect(await standings()).toEqual(frozen);
    expect(await done('audit')).toContain(`frozen: ${VOTES / 2 + STUFFED}.`);
    const saved = `Wrote ${VOTES + STUFFED} ballots of `;
    expect(await done('export', 'frozen.ndjson')).toContain(saved);
    expect(await done('traffic')).toMatch(/^minute/);
    await done('void', '--from', start, '--to', end, '--yes');
    await clock.advance(CHANGE_MS);
    expect(await standings()).toEqual(frozen);

    expect(await done('close')).toMatch(/^The vote is closed\./);
    await clock.advance(CHANGE_MS);
    expect(await settled(vote('a', 'late'), clock)).toBe(403);
    expect(await standings()).toEqual(frozen);
    await done('reveal', '--yes');
    await clock.advance(CHANGE_MS);
    expect(await standings()).toEqual([VOTES * 0.75, VOTES * 0.25]);
    expect(await done('audit')).toBe(
      `Recounted ${VOTES} ballots: every sum is right.\nBeside these, voided: ${STUFFED}.\n`,
    );
    const csv = await done('results', '--csv');
    expect(csv).toMatch(/^\ufeffrank;id;name;votos;share\n1;a;One;480;75\n2;b;Dos;160;25\n$/);
    await done('export', 'vote.ndjson');

    const target = await openVote(to.home);
    const file = join(folder, 'vote.ndjson');
    const nominees = await list();
    const ballots = await use(ballotsOf);
    const { times, voteId } = await use((store) => store.state());
    // As an import that was interrupted has left it: times come before ballots.
    await target.use(async (store) => {
      await store.change(setNominees(nominees));
      await store.change(setTimes((current) => ({ ...current, ...times }), 'command'));
      await store.change(setVoteId(voteId));
      await store.commit(ballots.slice(0, IMPORTED));
    });
    expect(await target.says('import', file)).toMatch(/^1: /);
    const imported = await target.says('import', file, '--yes');
    expect(imported).toContain(
      `0: ${VOTES + STUFFED - IMPORTED} ballots imported, ${IMPORTED} were there already.\n`,
    );
    // The other folder has no covers of its own.
    expect(imported.includes('The cover of a is not shown: there is no file ')).toBe(
      to.isStandalone,
    );
    expect(await target.done('results', '--csv')).toBe(csv);
    expect(await target.done('status')).toMatch(/^The vote is closed\./);
    await target.done('audit');
    await target.done('export', 'again.ndjson');
    const [header = '', ...lines] = linesOf(join(target.folder, 'again.ndjson'));
    const [before = '', ...exported] = linesOf(file);
    expect(lines.slice(0, -1)).toEqual(exported.slice(0, -1));
    // Only the record goes on: with the target's own acts.
    const { record, ...rest } = JSON.parse(header);
    const ids = new Set(JSON.parse(before).record.map(({ id }: Act) => id));
    expect({ ...rest, record: record.filter(({ id }: Act) => ids.has(id)) }).toEqual(
      JSON.parse(before),
    );

    expect(await says('reset', 'old.ndjson')).toMatch(
      /^1: .*stay, and the vote stays closed\. Noth/,
    );
    expect(await says('reset', 'vote.ndjson', '--yes')).toMatch(/^1: .* exists: name another file/);
    expect(await done('results', '--csv')).toBe(csv);
    expect(await done('reset', 'old.ndjson', '--yes')).toMatch(
      /brings them back\.\nThe vote stays closed: `.* open.*` opens it\.\n$/,
    );
    await done('open');
    expect((await use((store) => store.games())).map(({ votos }) => votos)).toEqual([0, 0]);
    await clock.advance(CHANGE_MS);
    expect(await settled(vote('b', 'first-0'), clock)).toBe(200);
    expect(await done('audit')).toBe('Recounted 1 ballot: every sum is right.\n');
  });
});

testWithFirestore.each([
  ['O16 T2', ['init', 'n.csv', '--opens', '2126-01-01T20:00Z']],
  ['O6 T2', ['import', 'vote.ndjson']],
])(
  '%s an instance that knows an earlier vote counts none of the next: %s',
  async (_ids, command) => {
    const { done, folder, says, serve, use } = await openVote(openCloud, { a: [] });
    const next = await openVote(openStandalone, { a: [] });
    await next.says('close');
    await next.says('export', join(folder, 'vote.ndjson'));
    const { clock, send } = await serve();
    const vote = async () => (await send(API_PATHS.vote('a'), { method: 'POST' })).status;
    expect(await vote()).toBe(200);
    for (const id of ['a', 'b']) await says('nominees', 'remove', id, '--yes');
    // Until then, nobody may vote, whatever an instance believes.
    vi.spyOn(learning, 'wait').mockImplementation(async (ms) => {
      expect(await vote()).toBe(404);
      await clock.advance(ms);
    });
    await done(...command);
    expect(await vote()).toBe(403);
    expect(await use(async (store) => totalVotes(await store.games()))).toBe(0);
  },
);

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}
