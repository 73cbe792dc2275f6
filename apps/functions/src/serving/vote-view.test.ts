import { listRevisionOf } from '@goty/shared/nominee';
import { buildNominee } from '@goty/shared/testing/nominee';
import type { VoteTimes } from '@goty/shared/vote-times';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestLog } from '../../testing/log.ts';
import { buildStoredGame } from '../../testing/stored-game.ts';
import { oncePerBurst } from '../runtime/log.ts';
import { NO_KEYS, type StoreState } from '../votes/vote-store.ts';
import type { VoteSnapshot } from './vote-snapshot.ts';
import { VoteView } from './vote-view.ts';

const LIMITS = {
  maxAgeMs: 10_000,
  statusMaxAgeMs: 3_000,
  minAskIntervalMs: 1_000,
  countedMaxAgeMs: 2_000,
  sumsMaxAgeMs: 4_500,
  settleMs: 8_000,
};

const TIMES: VoteTimes = {
  opensAt: undefined,
  closesAt: undefined,
  frozenAt: undefined,
  endsAtClose: false,
};

/** A view of a store that the test changes, and what it has cost. */
function setUp(given: Partial<typeof LIMITS> = {}) {
  const clock = createTestClock();
  const log = createTestLog();
  const times = { ...TIMES, opensAt: 1, endsAtClose: true };
  const state: StoreState = {
    revision: 1,
    changes: 1,
    times,
    keys: NO_KEYS,
    codeKey: undefined,
    voteId: 'v',
  };
  const ids: readonly string[] = ['a'];
  const reads = { state: 0, games: 0, tally: 0, settles: 0, counts: 0, reveals: 0 };
  const store = {
    state,
    ids,
    votos: 3,
    reads,
    isBroken: false,
    canSettle: true,
    /** What the reads of the games wait for before they answer with what was there. */
    held: Promise.resolve(),
    /** What is counted from the ballots, and what a count waits for. */
    ballots: 3,
    counting: Promise.resolve(),
    /** Changes the nominees or the state, as another process does. */
    set(ids: readonly string[], more: Partial<StoreState> = {}) {
      this.ids = ids;
      const revision = this.state.revision + 1;
      const changes = this.state.changes + 1;
      this.state = { ...this.state, ...more, revision, changes };
    },
  };
  const answer = async <T>(kind: keyof typeof reads, value: T) => {
    reads[kind] += 1;
    if (store.isBroken) throw new Error('no disk');
    return value;
  };
  const view = new VoteView({
    store: {
      games() {
        const games = store.ids.map((id) => buildStoredGame({ id, votos: store.votos }));
        return store.held.then(() => answer('games', games));
      },
      state: () => answer('state', store.state),
      tally: () => answer('tally', store.votos * store.ids.length),
      async settle() {
        await answer('settles', undefined);
        if (!store.canSettle) throw new Error('no disk');
      },
      record: async () => [],
      voids: async () => [],
      async recount() {
        await answer('counts', undefined);
        await store.counting;
        const { ballots, votos } = store;
        return [{ game: 'a', exists: true, votos, hidden: 0, ballots, voided: 0 }];
      },
      async change(decide) {
        await answer('reveals', undefined);
        const { changes } = store.state;
        const { recount = false, times = store.state.times } = decide(store.state, clock.now());
        store.state = { ...store.state, times, changes: changes + 1 };
        if (recount) store.votos = store.ballots;
        return 0;
      },
    },
    limits: { ...LIMITS, ...given },
    clock,
    log: oncePerBurst(log, clock),
  });
  return {
    clock,
    log,
    store,
    view,
    /** Resolves like `promise`, after the interval between two questions. */
    async later<T>(promise: Promise<T>): Promise<T> {
      await clock.advance(LIMITS.minAskIntervalMs);
      return promise;
    },
    find: async (id: string) => (await view.snapshotForVote(id)).byId.get(id),
    idsOf: async () => (await view.snapshotForList()).nominees.map(({ id }) => id),
    votosOf: async () => (await view.standings()).games[0]?.votos,
    vote() {
      store.votos += 1;
      view.committed({ counted: 1 });
    },
    follow() {
      const told: unknown[] = [];
      const leave = view.subscribe(({ games }: VoteSnapshot) => void told.push(games[0]?.votos));
      return { told, leave };
    },
  };
}

test('N1 N2 the list has no votes, is read once by concurrent calls, and is kept', async () => {
  const { clock, store, view } = setUp();
  const [{ nominees }] = await Promise.all([
    view.snapshotForList(),
    view.snapshotForList(),
    view.snapshotForVote('a'),
  ]);
  expect(nominees).toEqual([buildNominee({ id: 'a' })]);
  for (let time = 0; time < 10; time += 1) {
    await clock.advance(LIMITS.maxAgeMs + 1);
    await view.snapshotForVote('a');
  }
  expect(store.reads.games).toBe(1);
});

test('N2 unknown ids ask for changes once a second, also while the store fails, and read no list', async () => {
  const { clock, find, later, store, view } = setUp();
  await view.snapshotForList();
  for (let second = 1; second <= 5; second += 1) {
    store.isBroken = second === 5;
    const found = Promise.allSettled(Array.from({ length: 100 }, (_, id) => find(`unknown-${id}`)));
    await clock.advance(LIMITS.minAskIntervalMs - 1);
    expect(store.reads.state).toBe(second);
    await clock.advance(1);
    const answers = new Set((await found).map((answer) => JSON.stringify(answer)));
    // A store that fails cannot say whether the game is new.
    const isTold = JSON.stringify({ status: 'fulfilled', value: undefined });
    expect([answers.size, answers.has(isTold)]).toEqual([1, !store.isBroken]);
    expect(store.reads.state).toBe(1 + second);
  }
  store.isBroken = false;
  expect(await later(find('constructor'))).toBeUndefined();
  expect(store.reads.games).toBe(1);
});

test('F12 revisions that somebody invents cost little more than the status does', async () => {
  const { clock, later, store, view } = setUp();
  const lists = ['x', 'y', 'z'];
  await view.snapshotForList();
  for (let second = 0; second < 60; second += 1) {
    await Promise.all(lists.map((revision) => later(view.snapshotForList(`${revision}${second}`))));
    await clock.advance(LIMITS.minAskIntervalMs);
  }
  expect(store.reads.state).toBeLessThanOrEqual(1 + clock.elapsed() / LIMITS.statusMaxAgeMs);
});

test('N2 a vote waits for nothing if its nominee is known, and for one that was just added', async () => {
  const { clock, find, later, store, view } = setUp();
  expect(view.freshSnapshotFor('a')).toBeUndefined();
  await view.snapshotForList();
  expect(view.freshSnapshotFor('a')).toBe(view.latest());
  store.set(['a', 'b']);
  expect(view.freshSnapshotFor('b')).toBeUndefined();
  expect(await later(find('b'))).toEqual(buildNominee({ id: 'b' }));
  await clock.advance(LIMITS.maxAgeMs + 1);
  expect(view.freshSnapshotFor('a')).toBeUndefined();
});

test('N3 T2 a change of the list and the times is known when what is known is old', async () => {
  const { clock, find, idsOf, later, store, view } = setUp();
  const told = async () => [await idsOf(), (await view.snapshotForVote('a')).state.times.closesAt];
  expect(await told()).toEqual([['a'], undefined]);
  store.set(['a', 'b'], { times: { ...TIMES, opensAt: 1, closesAt: 2 } });
  await clock.advance(LIMITS.maxAgeMs);
  expect(await told()).toEqual([['a'], undefined]);
  await clock.advance(1);
  expect(await told()).toEqual([['a', 'b'], 2]);
  store.set(['b']);
  await clock.advance(LIMITS.maxAgeMs + 1);
  expect(await later(find('a'))).toBeUndefined();
});

test('N3 while the store fails the old list is served, with one line in the log, and health fails', async () => {
  const { clock, idsOf, log, store, view } = setUp();
  await view.assertHealthy();
  store.isBroken = true;
  for (let time = 0; time < 3; time += 1) {
    await clock.advance(LIMITS.maxAgeMs + 1);
    const lists = await Promise.all(Array.from({ length: 100 }, idsOf));
    expect(lists.flat()).toHaveLength(100);
  }
  expect(log.lines).toEqual(['Failed to ask the store for changes: Error: no disk']);
  await expect(view.assertHealthy()).rejects.toThrow('no disk');
});

test('N5 the standings name another revision once the list has changed, 3 s later at most', async () => {
  const { clock, store, view } = setUp();
  const { listRevision, nominees } = await view.standings();
  expect(listRevision).toBe(listRevisionOf(nominees));
  store.set(['a', 'b']);
  await clock.advance(LIMITS.statusMaxAgeMs);
  expect((await view.standings()).listRevision).toBe(listRevision);
  await clock.advance(1);
  const changed = await view.standings();
  expect(changed.listRevision).toBe(listRevisionOf(changed.nominees));
  expect(changed.listRevision).not.toBe(listRevision);
  // Times alone leave the list as it is.
  const times = { ...TIMES, opensAt: 1, closesAt: 2 };
  store.set(['a', 'b'], { times });
  await clock.advance(LIMITS.statusMaxAgeMs + 1);
  const { state, listRevision: same } = await view.standings();
  expect([state.times, same]).toEqual([times, changed.listRevision]);
});

test('N5 a page that has heard of a change gets the new list from an instance that has not', async () => {
  const { later, store, view } = setUp();
  const before = await view.snapshotForList();
  store.set(['a', 'b']);
  const revision = listRevisionOf([buildNominee({ id: 'a' }), buildNominee({ id: 'b' })]);
  const lists = Array.from({ length: 100 }, () => view.snapshotForList(revision));
  for (const list of await later(Promise.all(lists))) expect(list.listRevision).toBe(revision);
  expect(store.reads).toMatchObject({ state: 2, games: 2 });
  // A revision that is none any more costs a question in a second, like an unknown id.
  expect((await later(view.snapshotForList(before.listRevision))).nominees).toHaveLength(2);
  expect(store.reads).toMatchObject({ state: 3, games: 2 });
});

test('T1 N2 L10 a first read that fails is not kept, and what was never read is not none', async () => {
  const { idsOf, store, view, votosOf } = setUp();
  store.isBroken = true;
  for (const ask of [() => view.snapshotForVote('a'), idsOf, votosOf, () => view.assertHealthy()]) {
    await expect(ask()).rejects.toThrow('no disk');
  }
  store.isBroken = false;
  expect([await idsOf(), await votosOf()]).toEqual([['a'], 3]);
});

test('V10 the result of a frozen vote is revealed once it has closed, and told with its sums', async () => {
  const { clock, store, view } = setUp();
  const closesAt = clock.now() + 1_000;
  store.set(['a'], { times: { ...TIMES, closesAt, frozenAt: clock.now(), endsAtClose: true } });
  const told = async () => {
    const { state, games } = await view.standings();
    return [state.times.frozenAt, games[0]?.votos];
  };
  expect(await told()).toEqual([0, 3]);
  expect(store.reads.reveals).toBe(0);
  store.votos = 9;
  store.ballots = 9;
  await clock.advance(1_000 + LIMITS.statusMaxAgeMs);
  expect(await told()).toEqual([undefined, 9]);
  await clock.advance(1_000 + LIMITS.statusMaxAgeMs);
  await view.standings();
  expect(store.reads.reveals).toBe(1);

  // A server that starts after the close tells it at once.
  const later = setUp();
  const over = { ...TIMES, closesAt: -1, frozenAt: -9 };
  later.store.set(['a'], { times: { ...over, endsAtClose: true } });
  expect((await later.view.standings()).state.times.frozenAt).toBeUndefined();

  // Unless the operator shows it.
  const held = setUp();
  held.store.set(['a'], { times: over });
  expect((await held.view.standings()).state.times.frozenAt).toBe(-9);
});

test('V10 a result that takes 10 s to count is counted once, however many ask meanwhile, and is told then', async () => {
  const { clock, log, store, view } = setUp();
  store.set(['a'], { times: { ...TIMES, closesAt: -1, frozenAt: -9, endsAtClose: true } });
  store.counting = new Promise((resolve) => void clock.after(10_000, resolve));
  const told: unknown[] = [];
  for (let seconds = 0; seconds < 15; seconds += 1) {
    void view.standings().then(({ state }) => told.push(state.times.frozenAt));
    await clock.advance(1_000);
  }
  expect(store.reads).toMatchObject({ counts: 1, reveals: 1 });
  expect([told[0], told.at(-1), log.lines]).toEqual([-9, undefined, []]);
});

test('S20 W146 a result that shows itself is counted from the ballots before anybody sees it, and the log tells of sums that were wrong', async () => {
  const { clock, log, store, view } = setUp();
  store.set(['a'], { times: { ...TIMES, closesAt: -1, frozenAt: -9, endsAtClose: true } });
  Object.assign(store, { votos: 7, ballots: 4 });
  store.counting = new Promise((resolve) => void clock.after(2_000, resolve));
  const telling = view.standings();
  await clock.advance(LIMITS.statusMaxAgeMs);
  const { games, state } = await telling;
  expect([games[0]?.votos, state.times.frozenAt, view.isFinal()]).toEqual([4, undefined, false]);
  await clock.advance(LIMITS.settleMs);
  expect((await view.standings()).games[0]?.votos).toBe(4);
  expect(view.isFinal()).toBe(true);
  expect(log.lines).toEqual([
    'The sums did not fit the ballots: the result was counted from these.',
  ]);
});

test('S20 a result that shows itself does not wait for a count that fails, and the log tells of that', async () => {
  const { clock, log, store, view } = setUp();
  store.set(['a'], { times: { ...TIMES, closesAt: -1, frozenAt: -9, endsAtClose: true } });
  Object.assign(store, { votos: 7, ballots: 4 });
  store.counting = Promise.reject(new Error('no quota'));
  const telling = view.standings();
  await clock.advance(LIMITS.statusMaxAgeMs);
  const { games, state } = await telling;
  expect([games[0]?.votos, state.times.frozenAt]).toEqual([7, undefined]);
  expect(log.lines).toEqual(['Failed to count the ballots of the result: Error: no quota']);
});

test('V10 sums that show a result never come with a state that still hides it', async () => {
  const { clock, store, view } = setUp();
  store.set(['a'], { times: { ...TIMES, frozenAt: 0 } });
  await view.standings();
  let answer = () => {};
  store.held = new Promise((resolve) => {
    answer = resolve;
  });
  store.votos = 9;
  await clock.advance(LIMITS.sumsMaxAgeMs);
  const telling = view.standings();
  await clock.advance(0);
  // Another server ends the freeze while this one reads the sums.
  store.set(['a'], { times: TIMES });
  answer();
  const { state, games } = await telling;
  expect([state.times.frozenAt, games[0]?.votos]).toEqual([undefined, 9]);
});

test('L10 L11 however many pages ask, only the sum is read, after votes of this process the games once in 2 s, and unasked nothing', async () => {
  const { clock, store, vote, votosOf } = setUp();
  await clock.advance(60_000);
  expect(store.reads).toMatchObject({ games: 0, tally: 0 });
  await votosOf();
  for (let seconds = 0; seconds < 70; seconds += 1) {
    await clock.advance(1_000);
    await Promise.all([votosOf(), votosOf()]);
  }
  expect(store.reads).toMatchObject({ games: 1, tally: 14 });
  // Of another process.
  store.votos = 4;
  await clock.advance(LIMITS.sumsMaxAgeMs);
  expect(await votosOf()).toBe(4);
  expect(store.reads).toMatchObject({ games: 2, tally: 15 });
  await clock.advance(LIMITS.countedMaxAgeMs);
  for (let ms = 0; ms < 10_000; ms += 100) {
    vote();
    await Promise.all([votosOf(), votosOf()]);
    await clock.advance(100);
  }
  expect(store.reads).toMatchObject({ games: 7, tally: 15 });
});

test('L10 while the sums cannot be read, the last ones are told for 10 s, and they are asked for again', async () => {
  const { clock, log, store, view, vote, votosOf } = setUp();
  await votosOf();
  vote();
  await clock.advance(LIMITS.countedMaxAgeMs);
  store.held = Promise.reject(new Error('no index'));
  store.held.catch(() => {});
  expect(await votosOf()).toBe(3);
  expect(log.lines).toEqual(['Failed to read the standings: Error: no index']);
  // Of this, neither votes nor health learn.
  await view.assertHealthy();
  await clock.advance(9_999);
  expect(await votosOf()).toBe(3);
  await clock.advance(1);
  await expect(votosOf()).rejects.toThrow('no index');
  store.held = Promise.resolve();
  await clock.advance(LIMITS.countedMaxAgeMs);
  expect(await votosOf()).toBe(4);
});

test('F14 W146 a result is final once no vote from before the close can be missing, for which its sums are read once more', async () => {
  const { clock, store, view, votosOf } = setUp();
  const finalAt = async () => [await votosOf(), view.isFinal()];
  store.set(['a'], { times: { ...TIMES, opensAt: 1, closesAt: 60_000 } });
  await clock.advance(60_000);
  expect(await finalAt()).toEqual([3, false]);
  await clock.advance(LIMITS.sumsMaxAgeMs);
  expect(await finalAt()).toEqual([3, false]);
  // Another process writes a vote that it had taken just before the close.
  store.votos = 4;
  await clock.advance(LIMITS.settleMs - LIMITS.sumsMaxAgeMs - 1);
  expect(await finalAt()).toEqual([3, false]);
  await clock.advance(1);
  store.isBroken = true;
  expect(await finalAt()).toEqual([3, false]);
  store.isBroken = false;
  // Votes that a server has left that died are in no sum yet.
  store.canSettle = false;
  expect(await finalAt()).toEqual([4, false]);
  store.canSettle = true;
  expect(await finalAt()).toEqual([4, true]);
  const { tally, games } = store.reads;
  expect(await finalAt()).toEqual([4, true]);
  expect(store.reads).toMatchObject({ tally, games });
  store.set(['a']);
  store.set(['a'], { times: { ...TIMES, opensAt: 1, closesAt: undefined } });
  await clock.advance(LIMITS.statusMaxAgeMs + 1);
  expect(await finalAt()).toEqual([4, false]);
});

test('W146 sums that were dropped for those of a change are not called final', async () => {
  const { clock, later, store, view, votosOf } = setUp();
  store.set(['a'], { times: { ...TIMES, opensAt: 1, closesAt: 60_000 } });
  await clock.advance(60_000);
  await votosOf();
  await clock.advance(LIMITS.settleMs);
  const late = Promise.withResolvers<void>();
  store.held = late.promise;
  store.votos = 4;
  const asked = votosOf();
  await clock.advance(0);
  store.held = Promise.resolve();
  store.set(['a']);
  await later(view.refresh());
  late.resolve();
  await asked;
  expect(view.isFinal()).toBe(false);
  expect([await votosOf(), view.isFinal()]).toEqual([4, true]);
});

test('G5 neither a vote nor the list waits for sums that hang', async () => {
  const { clock, idsOf, later, store, view, vote, votosOf } = setUp();
  await votosOf();
  vote();
  await clock.advance(LIMITS.maxAgeMs + 1);
  store.held = new Promise(() => {});
  const hanging = votosOf();
  await clock.advance(0);
  expect([await idsOf(), view.freshSnapshotFor('a')]).toEqual([['a'], view.latest()]);
  expect((await later(view.snapshotForVote('unknown'))).byId.has('unknown')).toBe(false);
  await clock.advance(4_000);
  expect(await hanging).toBe(3);
});

test('V10 L10 sums that were asked for before a change do not replace those of the change', async () => {
  const { clock, later, store, view, vote, votosOf } = setUp();
  await votosOf();
  vote();
  await clock.advance(LIMITS.countedMaxAgeMs);
  const late = Promise.withResolvers<void>();
  store.held = late.promise;
  const asked = votosOf();
  await clock.advance(0);
  store.held = Promise.resolve();
  store.votos = 9;
  store.set(['a']);
  await later(view.refresh());
  late.resolve();
  expect(await Promise.all([asked, votosOf()])).toEqual([9, 9]);
});

test('L6 subscribers are told what is new, and nothing is read without any', async () => {
  const { clock, follow, store, vote, votosOf } = setUp();
  const first = follow();
  await clock.advance(0);
  expect(first.told).toEqual([3]);
  // Before its change is told.
  vote();
  first.leave();
  for (let count = 0; count < 4; count += 1) vote();
  await clock.advance(60_000);
  expect([store.reads.games, first.told]).toEqual([1, [3]]);
  const next = follow();
  await clock.advance(0);
  expect([next.told, follow().told]).toEqual([[8], [8]]);
  expect(await votosOf()).toBe(8);
  expect(store.reads.games).toBe(2);
});

test('L1 N3 subscribers are told of a change once, and of votes as often as the limits allow', async () => {
  const { clock, follow, later, store, view, vote } = setUp();
  const { told } = follow();
  await clock.advance(0);
  store.votos = 4;
  store.set(['a', 'b']);
  for (let time = 0; time < 3; time += 1) await later(view.refresh());
  expect(told).toEqual([3, 4]);
  for (let count = 0; count < 100; count += 1) {
    vote();
    await clock.advance(LIMITS.countedMaxAgeMs / 10);
  }
  // The first of them at once.
  expect(told).toHaveLength(2 + 11);
  await clock.advance(LIMITS.countedMaxAgeMs);
  expect(told.at(-1)).toBe(104);
});

test('L1 while more votes come than one a millisecond, subscribers are told less often, but half as often at least', async () => {
  const { clock, follow, vote } = setUp({ countedMaxAgeMs: 100 });
  const { told } = follow();
  const timesTold = async (votesPerMs: number) => {
    const before = told.length;
    for (let ms = 0; ms < 1_000; ms += 1) {
      for (let votes = 0; votes < votesPerMs; votes += 1) vote();
      await clock.advance(1);
    }
    await clock.advance(1_000);
    // The first one at once, and the last one after all votes.
    return told.length - before - 2;
  };
  await clock.advance(1_000);
  expect(await timesTold(1)).toBe(9);
  expect(await timesTold(3)).toBe(7);
  expect(await timesTold(15)).toBe(4);
});

test('L1 the time that it takes to tell all subscribers does not put off the next read', async () => {
  const { clock, view, vote } = setUp();
  const { elapsed } = clock;
  let told = 0;
  let toldMs = 0;
  clock.elapsed = () => elapsed() + toldMs;
  view.subscribe(() => {
    told += 1;
    toldMs += 500;
  });
  for (const wait of [0, LIMITS.countedMaxAgeMs - 500, LIMITS.countedMaxAgeMs - 500]) {
    await clock.advance(wait);
    vote();
  }
  expect(told).toBe(3);
});

test('L6 a change during the read for a subscriber that has left is not lost', async () => {
  const { clock, follow, vote } = setUp();
  const { leave } = follow();
  await clock.advance(0);
  vote();
  await clock.advance(100);
  leave();
  follow().leave();
  vote();
  const { told } = follow();
  await clock.advance(LIMITS.countedMaxAgeMs);
  expect(told).toEqual([5]);
});

test('L8 what cannot be read for subscribers is read again a second later', async () => {
  const { clock, follow, log, store, vote } = setUp();
  store.isBroken = true;
  const { told } = follow();
  await clock.advance(999);
  store.isBroken = false;
  expect([store.reads.state, told]).toEqual([1, []]);
  await clock.advance(1);
  expect(told).toEqual([3]);
  await clock.advance(LIMITS.countedMaxAgeMs);
  store.isBroken = true;
  vote();
  await clock.advance(999);
  expect(log.lines).toContain('Failed to read the standings: Error: no disk');
  store.isBroken = false;
  await clock.advance(1);
  expect(told).toEqual([3, 4]);
});

test('V8 after a failed commit health fails until a vote was stored, for a minute at most', async () => {
  const { clock, view } = setUp();
  const failed = { counted: 0, error: new Error('no disk') };
  await view.assertHealthy();
  view.committed(failed);
  view.committed({ counted: 0 });
  await expect(view.assertHealthy()).rejects.toThrow('no disk');
  view.committed({ counted: 1 });
  await view.assertHealthy();
  view.committed(failed);
  await clock.advance(59_000);
  await expect(view.assertHealthy()).rejects.toThrow('no disk');
  // Nobody votes any more, perhaps because of what a monitor has heard.
  await clock.advance(1_000);
  await view.assertHealthy();
});
