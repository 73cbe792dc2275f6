import { type Nominee, revisionOf } from '@goty/shared/nominee';
import { buildNominee } from '@goty/shared/testing/nominee';
import { beforeEach, expect, test, vi } from 'vitest';
import { setVisibility } from '../../testing/visibility.ts';
import { createObservable } from '../base/observable.ts';
import { ALWAYS_OPEN } from '../status/vote-status.ts';
import { followNominees } from './follow-nominees.ts';
import { createNomineeList } from './nominee-list.ts';

const OLD = [buildNominee({ name: 'Antes' })];
const NEW = [buildNominee({ name: 'Ahora' })];

beforeEach(() => void vi.useFakeTimers());

function setUp(load: (revision: string) => Promise<readonly Nominee[]> = async () => NEW) {
  const voteStatus = createObservable(ALWAYS_OPEN);
  const list = createNomineeList(async () => OLD);
  const loads = vi.fn(load);
  const states: string[] = [];
  list.state.subscribe(() => states.push(list.state.get().status));
  followNominees(voteStatus, list, loads);
  return {
    list,
    loads,
    states,
    names() {
      const state = list.state.get();
      return state.status === 'ready' ? state.nominees.map(({ name }) => name) : undefined;
    },
    async tell(nominees: readonly Nominee[]) {
      voteStatus.set({ ...ALWAYS_OPEN, nominees: revisionOf(nominees) });
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('W42 a list that has changed is loaded again, by its revision, and replaced at once', async () => {
  const { list, loads, states, names, tell } = setUp();
  list.ensureLoaded();
  await tell(OLD);
  expect(loads).not.toHaveBeenCalled();
  await tell(NEW);
  expect(loads).toHaveBeenCalledExactlyOnceWith(revisionOf(NEW));
  expect(names()).toEqual(['Ahora']);
  expect(states).toEqual(['loading', 'ready', 'ready']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).toHaveBeenCalledTimes(1);
});

test('W42 a list that was never needed is not loaded', async () => {
  const { loads, tell } = setUp();
  await tell(NEW);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).not.toHaveBeenCalled();
});

test('W42 an older list than the status names is compared once it is loaded', async () => {
  const { list, names, tell } = setUp();
  await tell(NEW);
  list.ensureLoaded();
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(['Ahora']);
});

test('W42 after a failure, or the old list once more, it asks again every 3 s', async () => {
  const { list, loads, names, tell } = setUp(
    vi
      .fn(async () => NEW)
      .mockRejectedValueOnce(new Error('down'))
      .mockResolvedValueOnce(OLD),
  );
  list.ensureLoaded();
  await tell(NEW);
  expect(names()).toEqual(['Antes']);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(names()).toEqual(['Antes']);
  expect(loads).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(names()).toEqual(['Ahora']);
});

test('W42 a hidden page waits until it is shown', async () => {
  const { list, loads, names, tell } = setUp();
  list.ensureLoaded();
  await setVisibility('hidden');
  await tell(NEW);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).not.toHaveBeenCalled();
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(names()).toEqual(['Ahora']);
});
