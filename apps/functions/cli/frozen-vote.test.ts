import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { rotateTo } from '@goty/shared/nominee';
import { API_PATHS, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { describe, expect, test, vi } from 'vitest';
import type { CastBallot } from '../src/votes/ballot.ts';
import { FUTURE } from '../src/votes/vote-store-contract.ts';
import { settled } from '../testing/clock.ts';
import { testWithFirestore } from '../testing/firestore.ts';
import { HOMES, openCloud, openVote } from '../testing/operator-homes.ts';

/** After which a change is known everywhere (SPEC N3, T2). */
const CHANGE_MS = 10_001;
const VOTES = 30;

describe.each(HOMES)('a frozen vote in $name', ({ home, isMissing }) => {
  test.skipIf(isMissing)('V10 nothing that visitors can read tells of votes', async () => {
    const { collection, done, says, serve } = await openVote(home, { a: ['1', '2'], b: ['3'] });
    const { ask, clock, send } = await serve();
    await says('freeze');
    await clock.advance(CHANGE_MS);
    const read = async (path: string) => {
      const response = await send(path);
      const { date: _date, ...headers } = Object.fromEntries(response.headers);
      return { headers, body: (await response.text()).replace(/"now":\d+/, '') };
    };
    const readList = async (path: string) => {
      const { headers, body } = await read(path);
      // These follow the minute (SPEC N6).
      const { 'cache-control': _cache, etag: _etag, ...others } = headers;
      return { headers: others, nominees: rotateTo(JSON.parse(body)) };
    };
    const readAll = async () => {
      // Else the answer may be one that is kept for some seconds.
      await clock.advance(CHANGE_MS);
      const standings = (await read(API_PATHS.standings)).body;
      const [, revision = ''] = /"nominees":"(\w+)"/.exec(standings) ?? [];
      return {
        standings,
        list: await readList(API_PATHS.nominees),
        listOf: await readList(API_PATHS.nomineesOf(revision)),
        stream: await firstStandings(send),
        health: (await read(API_PATHS.health)).body,
        // Of the standalone home; it has the preview of a link.
        page: await read('/../inicio'),
        // A listener is told what is in these documents, and when they have changed.
        collection: await collection(),
      };
    };
    const before = await readAll();
    const answers = await settled(
      Promise.all(
        Array.from({ length: VOTES }, async (_, key) => {
          const headers = { [IDEMPOTENCY_KEY]: `key-${key}` };
          const response = await ask(API_PATHS.vote('b'), { method: 'POST', headers });
          return `${response.status} ${await response.text()}`;
        }),
      ),
      clock,
    );
    // And the answer is the same for each vote.
    expect([...new Set(answers)]).toEqual([expect.stringMatching(/^200 /)]);
    expect(await readAll()).toEqual(before);
    expect(JSON.parse(await done('results', '--json')).total).toBe(VOTES + 3);

    await says('close');
    expect(await says('status')).toContain('Its result is held: ');
    // It is closed, and nothing else is told, whatever is found and voided meanwhile.
    const closed = await readAll();
    const { frozenAt } = JSON.parse(await done('status', '--json'));
    const end = new Date(Date.now()).toJSON();
    expect(await says('void', '--from', frozenAt, '--to', end, '--yes')).toContain('voided.');
    const held = await readAll();
    expect(held).toEqual(closed);
    const sums = (text: string) => text.slice(text.indexOf('"standings"'));
    expect(sums(held.standings)).toBe(sums(before.standings));
    expect(held.standings).toContain('"closesAt"');
    expect({ ...held, standings: '' }).toEqual({ ...before, standings: '' });
    await done('reveal', '--yes');
    const { standings } = await readAll();
    expect(JSON.parse(standings.replace('{,', '{'))).toMatchObject({
      standings: [
        { id: 'a', name: 'Uno', votos: 2 },
        { id: 'b', name: '=Dos', votos: 1 },
      ],
      voided: VOTES,
      voids: [{ from: expect.any(Number), to: expect.any(Number) }],
    });
    await says('void', '--game', 'b', '--from', '1970-01-01T00:00Z', '--yes');
    const { total, voided } = JSON.parse(await done('results', '--json'));
    expect([total, voided]).toEqual([2, VOTES + 1]);
    expect(await says('status')).toContain(`\nIt has ${total} votes.\n`);
  });
});

describe.each(HOMES)(
  'what the operator takes out of a frozen vote in $name',
  ({ home, isMissing }) => {
    /** Two votes for a, one of which is changed to b during the freeze, and a hidden vote for each. */
    async function openFrozen() {
      const vote = await openVote(home, { a: ['1', '2'], b: ['3'] });
      await vote.done('freeze');
      const commit = (...group: CastBallot[]) =>
        vote.use(async (store) => {
          // As a server does, which asks every few seconds.
          await store.state();
          await store.commit(group);
        });
      await commit(
        { id: '1', game: 'b', at: FUTURE, replaces: 5 },
        { id: '4', game: 'a', at: FUTURE },
        { id: '5', game: 'b', at: FUTURE },
      );
      const shown = () =>
        vote.use(async (store) => {
          await store.settle();
          return Object.fromEntries((await store.games()).map(({ id, votos }) => [id, votos]));
        });
      expect(await shown()).toEqual({ a: 2, b: 1 });
      return { ...vote, commit, shown };
    }

    test.skipIf(isMissing)(
      'O7 V1 V10 V14 a reset leaves no vote of nobody in what is shown, and what it has removed can be brought back',
      async () => {
        const { commit, done, shown } = await openFrozen();
        await done('reset', 'all.ndjson', '--yes');
        expect(await shown()).toEqual({ a: 0, b: 0 });
        expect(await done('audit')).toMatch(/^Recounted 0 ballots: every sum is right\.\n/);
        await commit({ id: '6', game: 'b', at: FUTURE });
        expect(await shown()).toEqual({ a: 0, b: 0 });
        await done('import', 'all.ndjson', '--yes');
        expect(await shown()).toEqual({ a: 1, b: 1 });
        await done('reveal', '--yes');
        expect(await shown()).toEqual({ a: 2, b: 4 });
      },
    );

    test.skipIf(isMissing)(
      'O2 O6 V10 a game that is removed takes nothing out of the others, and can be brought back',
      async () => {
        const { done, folder, shown } = await openFrozen();
        await done('nominees', 'remove', 'b', '--yes');
        expect(await shown()).toEqual({ a: 2 });
        expect(await done('audit')).toBe('Recounted 2 ballots: every sum is right.\n');
        const [file = ''] = readdirSync(folder).filter((name) => name.startsWith('removed-b-'));
        await done('import', file, '--yes');
        // The vote of before the freeze is shown again, and those that were changed or cast since are hidden again.
        expect(await shown()).toEqual({ a: 2, b: 1 });
        await done('reveal', '--yes');
        expect(await shown()).toEqual({ a: 2, b: 3 });
      },
    );

    test.skipIf(isMissing)(
      'O6 V10 V14 an import into a frozen vote shows what was cast before, and hides the rest',
      async () => {
        const { done, folder, shown } = await openFrozen();
        await done('export', 'frozen.ndjson');
        const other = await openVote(home, { a: ['1', '7'], b: ['3'] });
        await other.done('freeze', '--at', new Date(FUTURE - 1).toISOString());
        await other.done('import', join(folder, 'frozen.ndjson'), '--yes');
        const sums = () =>
          other.use(async (store) => {
            await store.settle();
            return (await store.recount()).map(({ votos, hidden }) => [votos, hidden]);
          });
        // The vote that was changed is shown for the game that it was for, as in the other vote.
        expect(await sums()).toEqual([
          [3, 0],
          [1, 2],
        ]);
        expect(await other.done('audit')).toMatch(/^Recounted 6 ballots: every sum is right\.\n/);
        await other.done('reveal', '--yes');
        expect(await sums()).toEqual([
          [3, 0],
          [3, 0],
        ]);
        // Of the vote that was exported in a freeze, a new one has the freeze.
        const fresh = await openVote(home);
        await fresh.done('import', join(folder, 'frozen.ndjson'));
        const truth = await fresh.use((store) => store.recount());
        expect(truth.map(({ votos, hidden }) => [votos, hidden])).toEqual([
          [1, 1],
          [1, 2],
        ]);
        await done('reveal', '--yes');
        await fresh.done('reveal', '--yes');
        expect(await fresh.use((store) => store.games())).toMatchObject([
          { votos: 2 },
          { votos: 3 },
        ]);
        expect(await shown()).toEqual({ a: 2, b: 3 });
      },
    );
  },
);

testWithFirestore.each([-30_000, 30_000])(
  'S22 in the cloud home a freeze and a close go by its own clock, if that of the operator is %i ms ahead',
  async (ahead) => {
    const { done, says, use } = await openVote(openCloud, { a: [] });
    const { now } = Date;
    const start = now();
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
    await done('freeze', '--until-close');
    expect(await says('close')).toMatch(/^0: The vote is closed\.\n/);
    const { times } = await use((store) => store.state());
    for (const time of [times.frozenAt, times.closesAt]) {
      expect(time).toBeGreaterThanOrEqual(start);
      expect(time).toBeLessThanOrEqual(now() + 1);
    }
  },
);

/** The first standings of a stream, or the answer of a home that has none. */
async function firstStandings(send: (path: string, init: RequestInit) => Promise<Response>) {
  const aborter = new AbortController();
  const { body } = await send(API_PATHS.live, { signal: aborter.signal });
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes('data: [') || text.startsWith('{')) break;
  }
  aborter.abort();
  return text.replace(/^event: ping\n.*\n/m, '');
}
