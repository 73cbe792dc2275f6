import { type Nominee, revisionOf } from '@goty/shared/nominee';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { setVisibility } from '../../testing/visibility.ts';
import { createObservable } from '../base/observable.ts';
import { ALWAYS_OPEN, UNKNOWN } from './known.ts';
import { createNominees, followNominees, type LoadNominees } from './nominees.ts';

const OLD = [buildNominee({ name: 'Antes' })];
const NEW = [buildNominee({ name: 'Ahora' })];

function setUp(load: LoadNominees = async () => NEW) {
  vi.useFakeTimers();
  const known = createObservable(UNKNOWN);
  const list = createNominees(async () => OLD);
  const loads = vi.fn<LoadNominees>(() => load());
  followNominees(known, list, loads);
  return {
    list,
    loads,
    async tell(nominees: readonly Nominee[]) {
      known.set({ ...UNKNOWN, status: { ...ALWAYS_OPEN, nominees: revisionOf(nominees) } });
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('W42 a list that has changed is loaded again, by its revision, and replaced at once', async () => {
  const { list, loads, tell } = setUp();
  const states: string[] = [];
  list.state.subscribe(() => states.push(list.state.get().status));
  list.ensureLoaded();
  await tell(OLD);
  expect(loads).not.toHaveBeenCalled();
  await tell(NEW);
  expect(list.state.get()).toMatchObject({ nominees: NEW });
  expect(states).toEqual(['loading', 'ready', 'ready']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).toHaveBeenCalledExactlyOnceWith(revisionOf(NEW));
});

test('W42 a list is compared with what the status names once it is needed and loaded', async () => {
  const { list, loads, tell } = setUp();
  await tell(NEW);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).not.toHaveBeenCalled();
  list.ensureLoaded();
  await vi.advanceTimersByTimeAsync(0);
  expect(list.state.get()).toMatchObject({ nominees: NEW });
});

test('W42 after a failure, or the old list once more, it asks again every 3 s', async () => {
  const load = vi.fn<LoadNominees>(async () => NEW).mockResolvedValueOnce('broken');
  const { list, loads, tell } = setUp(load.mockResolvedValueOnce(OLD));
  list.ensureLoaded();
  await tell(NEW);
  expect(list.state.get()).toMatchObject({ nominees: OLD });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(list.state.get()).toMatchObject({ nominees: OLD });
  expect(loads).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(list.state.get()).toMatchObject({ nominees: NEW });
});

test('W42 a list whose revision the server computes in another way is not loaded for ever', async () => {
  const { list, loads, tell } = setUp(async () => OLD);
  list.ensureLoaded();
  await tell(NEW);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(loads).toHaveBeenCalledTimes(10);
});

test('W42 a hidden page waits until it is shown', async () => {
  const { list, loads, tell } = setUp();
  list.ensureLoaded();
  await setVisibility('hidden');
  await tell(NEW);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).not.toHaveBeenCalled();
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(list.state.get()).toMatchObject({ nominees: NEW });
});
