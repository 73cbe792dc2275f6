import { setImmediate } from 'node:timers/promises';
import { buildNominee } from '@goty/shared/testing/nominee';
import { SEED } from '@goty/shared/testing/seed';
import fc, { type GeneratorValue } from 'fast-check';
import { Firestore, Transaction, WriteBatch } from 'firebase-admin/firestore';
import { expect, onTestFinished, vi } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { newProjectId, openFirestore, testWithFirestore } from '../../testing/firestore.ts';
import { createTestLog } from '../../testing/log.ts';
import { changeBallots, removeGame, repair, setNominees, setTimes } from '../acts/acts.ts';
import type { CastBallot } from '../votes/ballot.ts';
import type { VoteStore } from '../votes/vote-store.ts';
import { FUTURE, freezing } from '../votes/vote-store-contract.ts';
import { createFirestoreStore } from './store.ts';

const GAMES = ['a', 'b'];
const VISITORS = ['1', '2', '3', '4', '5'];
const FAULTS = ['none', 'none', 'refused', 'lost'] as const;

/** Holds up every write, and every read of a transaction, while a store does something. */
function disturbFirestore() {
  let hold: ReturnType<typeof holdWith> | undefined;
  const disturb = <Result>(kind: Kind, work: () => Promise<Result>) =>
    hold ? hold.around(kind, work) : work();
  const { commit } = WriteBatch.prototype;
  const { runTransaction } = Firestore.prototype;
  const { get } = Transaction.prototype;
  const spies = [
    vi.spyOn(WriteBatch.prototype, 'commit').mockImplementation(function (this: WriteBatch) {
      return disturb('write', () => commit.call(this));
    }),
    vi.spyOn(Firestore.prototype, 'runTransaction').mockImplementation(function (
      this: Firestore,
      ...given
    ) {
      return disturb('write', () => runTransaction.apply(this, given));
    }),
    vi.spyOn(Transaction.prototype, 'get').mockImplementation(function (
      this: Transaction,
      ...given: unknown[]
    ) {
      return disturb('read', () => Reflect.apply(get, this, given));
    }),
  ];
  onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));

  return {
    /** Returns how much of what `call` began has not ended when that has settled. */
    async during(choose: GeneratorValue, call: () => Promise<unknown>): Promise<number> {
      const holding = holdWith(choose);
      hold = holding;
      let isPending = true;
      const end = () => {
        isPending = false;
      };
      call().then(end, end);
      while (isPending) {
        holding.letOneGo();
        await setImmediate();
      }
      hold = undefined;
      return holding.end();
    },
  };
}

type Kind = 'read' | 'write';

/** Lets what is held go one after the other, in any order. Some is refused, and of some the reply is lost. */
function holdWith(choose: GeneratorValue) {
  let held: { readonly kind: Kind; readonly letGo: () => void }[] = [];
  const begun = { read: 0, write: 0 };
  let writing = 0;
  let isOver = false;
  return {
    async around<Result>(kind: Kind, work: () => Promise<Result>): Promise<Result> {
      begun[kind] += 1;
      await new Promise<void>((letGo) => void held.push({ kind, letGo }));
      const fault = isOver ? 'none' : choose(fc.constantFrom, ...FAULTS);
      if (kind === 'write') writing += 1;
      try {
        if (fault === 'refused') throw new Error('refused');
        const result = await work();
        if (fault === 'lost') throw new Error('its reply was lost');
        return result;
      } finally {
        begun[kind] -= 1;
        if (kind === 'write') writing -= 1;
      }
    },
    letOneGo() {
      const reads = held.filter(({ kind }) => kind === 'read');
      // A write that is held may keep what another one waits for.
      const writes = writing === 0 ? held : [];
      const candidates = reads.length > 0 ? reads : writes;
      if (candidates.length === 0) return;
      const one = candidates[choose(fc.nat, candidates.length - 1)];
      held = held.filter((each) => each !== one);
      one?.letGo();
    },
    /** Lets go what is left. Returns how much that is. */
    end(): number {
      isOver = true;
      for (const { letGo } of held) letGo();
      return begun.read + begun.write;
    },
  };
}

/** What servers and operators ask of a store. */
function callOf(generate: GeneratorValue, store: VoteStore): () => Promise<unknown> {
  const at = generate(fc.constantFrom, 5, FUTURE);
  const cast = (): CastBallot => ({
    id: generate(fc.constantFrom, ...VISITORS),
    game: generate(fc.constantFrom, ...GAMES),
    at,
    replaces: generate(fc.constantFrom, undefined, 5, FUTURE),
  });
  const group = Array.from({ length: generate(fc.integer, { min: 2, max: 4 }) }, cast);
  const nominees = [...GAMES, 'c', 'd'].map((id) => buildNominee({ id }));
  const vote = () => store.commit(group);
  return generate(
    fc.constantFrom,
    ...[vote, vote, vote],
    () => store.recount(),
    () => store.settle(),
    () => store.change(repair([])),
    () => store.change(setNominees(nominees)),
    () => store.change(removeGame('c')),
    () => store.change(changeBallots(group, { voidedBy: 'act' })),
    () => store.change(setTimes(freezing(undefined, false), 'command')),
  );
}

testWithFirestore(
  'S25 W146 nothing that a store has begun goes on once it has answered, whatever fails meanwhile',
  async () => {
    const firestore = disturbFirestore();
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (generate) => {
        // It folds nothing by itself.
        const options = { clock: createTestClock(), intervalMs: 60_000 };
        const store = createFirestoreStore(openFirestore(newProjectId()), createTestLog(), options);
        await store.change(setNominees(GAMES.map((id) => buildNominee({ id }))));
        await store.commit(VISITORS.slice(0, 3).map((id) => ({ id, game: 'a', at: 5 })));
        for (let calls = 0; calls < 4; calls += 1) {
          const left = await firestore.during(generate, callOf(generate, store));
          expect(left).toBe(0);
        }
      }),
      // What is left of a failed run may hold up the next ones, which are to find a shorter example.
      { seed: SEED, numRuns: 16, endOnFailure: true },
    );
  },
);
