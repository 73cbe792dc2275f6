import type { TimeRange, ToldAct } from '@goty/shared/act';
import { SEED } from '@goty/shared/testing/seed';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  changeBallots,
  changeInSteps,
  isAffected,
  undoSteps,
  undoVoid,
  voidSteps,
} from '../src/acts/acts.ts';
import { disclosureOf, readRecord } from '../src/acts/record.ts';
import type { Ballot } from '../src/votes/ballot.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';
import { openStandalone, openVote } from '../testing/operator-homes.ts';

type Vote = Awaited<ReturnType<typeof openVote>>;

/** What two operators share, and what one of them is about to do. */
interface Evening {
  readonly vote: Vote;
  readonly store: VoteStore;
  /** What waits for a yes. */
  readonly waiting: (() => Promise<unknown>)[];
  /** Acts that take ballots away, or bring them back, without an undo. */
  others: number;
  files: number;
  /** The voided votes that their visitors have changed since. */
  readonly changed: Set<string>;
}

/** When the last vote of the evening is cast. */
const LAST = 299;
/** Minutes of the evening. A range of them is what is voided at once. */
const minute = fc.nat(2);
const range = fc
  .tuple(minute, minute)
  .map(([a, b]): TimeRange => ({ from: Math.min(a, b) * 100, to: (Math.max(a, b) + 1) * 100 }));
const game = fc.constantFrom('a', undefined);
/** After how many writes a void is interrupted, if it is. */
const end = fc.constantFrom(1, 2, Infinity, Infinity);

/** What voids votes, and counts them again. */
const VOIDS = [
  fc
    .record({
      ranges: fc.array(range, { minLength: 1, maxLength: 2 }),
      game,
      end,
      isUndo: fc.boolean(),
      isWaiting: fc.boolean(),
    })
    .map(({ ranges, game, end, isUndo, isWaiting }) => {
      const what = `${isUndo ? 'count again' : 'void'} ${game} ${JSON.stringify(ranges)}, ${end}`;
      return command(`${what}${isWaiting ? ', later' : ''}`, async ({ store, waiting }) => {
        const all = await allBallots(store, game);
        const found = all.filter((ballot) => isAffected(ballot, ranges, isUndo));
        const steps = isUndo ? undoSteps(found, 'command') : voidSteps(found, ranges, 'command');
        const act = () => changeInSteps(store, steps.slice(0, end));
        if (isWaiting) waiting.push(act);
        else await act();
      });
    }),
  fc.nat(9).map((number) =>
    command(`a visitor changes voided vote ${number}`, async ({ store, changed }) => {
      const all = await allBallots(store);
      const ballot = all.filter(({ voided }) => voided !== undefined)[number];
      if (!ballot) return;
      const other = ballot.game === 'a' ? 'b' : 'a';
      await store.commit([{ id: ballot.id, game: other, at: 7_200_000, replaces: ballot.at }]);
      changed.add(ballot.id);
    }),
  ),
  fc.constant(command('yes', async ({ waiting }) => void (await waiting.shift()?.()))),
  fc.nat(9).map((number) =>
    command(`Deshacer ${number}`, async ({ store }) => {
      const { acts } = await readRecord(store);
      const act = acts.filter(({ what, left }) => what === 'void' && left !== undefined)[number];
      if (!act) return;
      const others = await voidedIn(store);
      await undoVoid(store, act.id, 'desk');
      expect(await voidedIn(store)).toBe(others - (act.left ?? 0));
    }),
  ),
];

const COMMANDS = [
  ...VOIDS,
  fc.boolean().map((isAhead) =>
    command('reset', async (evening) => {
      const { now } = Date;
      if (isAhead) vi.spyOn(Date, 'now').mockImplementation(() => now() + 300_000);
      evening.files += 1;
      await evening.vote.done('reset', `${evening.files}.ndjson`, '--yes');
      vi.restoreAllMocks();
      evening.others += 1;
    }),
  ),
  fc.nat(3).map((number) =>
    command(`import file ${number}`, async (evening) => {
      const { files, vote } = evening;
      if (number === 0) {
        evening.files += 1;
        await vote.done('export', `${evening.files}.ndjson`);
      } else if (number <= files) {
        await vote.done('import', `${number}.ndjson`, '--yes');
        evening.others += 1;
      }
    }),
  ),
  fc.constant(
    command('take some ballots away', async (evening) => {
      const all = await allBallots(evening.store);
      await evening.store.change(changeBallots(all.slice(0, 50), 'gone'));
      evening.others += 1;
    }),
  ),
];

function command(name: string, work: (evening: Evening) => Promise<void>) {
  return {
    check: () => true,
    run: (_model: object, evening: Evening) => work(evening),
    toString: () => name,
  };
}

async function allBallots(store: VoteStore, game?: string): Promise<Ballot[]> {
  const all: Ballot[] = [];
  for await (const ballot of store.ballots({ game })) all.push(ballot);
  return all;
}

async function voidedIn(store: VoteStore): Promise<number> {
  return (await store.voids()).reduce((sum, { votes }) => sum + votes, 0);
}

test('V13 O15 O19 D9 whatever two operators void, undo, interrupt, reset and import, ballots, audit, record and public line fit', async () => {
  const limits = { maxCommands: 14, size: 'max' } as const;
  const commands = fc.oneof(fc.commands(VOIDS, limits), fc.commands(COMMANDS, limits));
  await fc.assert(
    fc.asyncProperty(commands, async (commands) => {
      const vote = await openVote(openStandalone, { a: [], b: [] });
      await vote.use(async (store) => {
        const all = Array.from({ length: 1_300 }, (_, id) => ({
          id: `key-${id}`,
          game: id % 4 === 0 ? 'b' : 'a',
          at: (id * 37) % (LAST + 1),
        }));
        await store.commit(all);
        const evening: Evening = {
          vote,
          store,
          waiting: [],
          others: 0,
          files: 0,
          changed: new Set(),
        };
        await fc.asyncModelRun(() => ({ model: {}, real: evening }), commands);
        for (const act of evening.waiting) await act();
        await expectFit(evening);
      });
    }),
    { seed: SEED, numRuns: 40 },
  );
});

async function expectFit({ changed, others, store, vote }: Evening) {
  const ballots = (await allBallots(store)).filter(({ voided }) => voided !== undefined);
  const { acts, voids } = await readRecord(store);
  const byAct = Map.groupBy(ballots, ({ voided = '' }) => voided);
  const truth = [...byAct].map(([act, own]) => {
    const times = own.map(({ at }) => at);
    return { act, votes: own.length, from: Math.min(...times), to: Math.max(...times) + 1 };
  });
  const inOrder = (all: readonly { readonly act: string }[]) =>
    all.toSorted((a, b) => (a.act < b.act ? -1 : 1));
  expect(inOrder(voids)).toEqual(inOrder(truth));
  expect(await voidedIn(store)).toBe(ballots.length);
  // The public line is about these ballots, and no other ones.
  const { voided = 0, voids: ranges = [] } = disclosureOf({ acts, voids }, undefined);
  expect(voided).toBe(ballots.length);
  // What a visitor has changed since it was voided stretches nothing.
  for (const { from, to } of ranges) {
    expect([from, to].every((time) => time >= 0 && time <= LAST + 1)).toBe(true);
    const times = ballots.map(({ at }) => at);
    if (changed.size > 0) continue;
    expect(times).toContain(from);
    expect(times).toContain(to - 1);
  }
  const unchanged = ballots.filter(({ id }) => !changed.has(id));
  const isTold = ({ at }: Ballot) => ranges.some(({ from, to }) => at >= from && at < to);
  expect(unchanged.every(isTold)).toBe(true);
  // The record knows each act, what it did, and what is left of it.
  const audit = await vote.done('audit');
  expect(audit).toMatch(
    ballots.length > 0 ? `Beside these, voided: ${ballots.length}.` : /right\.\n$/,
  );
  expect(audit).not.toContain('not in the record');
  const record: readonly ToldAct[] = JSON.parse(await vote.done('record', '--json'));
  for (const { id, what, votes = 0 } of record) {
    if (what !== 'void') continue;
    const undone = record.filter(({ undoes }) => undoes === id);
    const left = votes - undone.reduce((sum, { votes = 0 }) => sum + votes, 0);
    const own = byAct.get(id)?.length ?? 0;
    if (others === 0) expect([id, left]).toEqual([id, own]);
    expect(own).toBeLessThanOrEqual(votes);
    expect(acts.find((act) => act.id === id)?.left ?? 0).toBe(own);
  }
}
