import { listRevisionOf, type Nominee, rotateTo } from '@goty/shared/nominee';
import { POLL_MS } from '@goty/shared/protocol';
import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { setVisibility } from '../../testing/visibility.ts';
import { createObservable } from '../base/observable.ts';
import { followNominees } from './follow-nominees.ts';
import { ALWAYS_OPEN, INITIAL_LIVE_STATE } from './live-state.ts';
import { createNominees, type LoadNominees } from './nominees.ts';

const OLD = [buildNominee({ name: 'Antes' })];
const NEW = [buildNominee({ name: 'Ahora' })];

function follow(load: LoadNominees = async () => NEW, first: readonly Nominee[] = OLD) {
  vi.useFakeTimers();
  const known = createObservable(INITIAL_LIVE_STATE);
  const list = createNominees(async () => first);
  const loads = vi.fn<LoadNominees>(() => load());
  followNominees(known, list, loads);
  return {
    list,
    loads,
    async tell(nominees: readonly Nominee[]) {
      known.set({
        ...INITIAL_LIVE_STATE,
        status: { ...ALWAYS_OPEN, listRevision: listRevisionOf(nominees) },
      });
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('W42 a list that has changed is loaded again, by its revision, and replaced at once', async () => {
  const { list, loads, tell } = follow();
  const states: string[] = [];
  list.state.subscribe(() => states.push(list.state.get().status));
  list.ensureLoaded();
  await tell(OLD);
  expect(loads).not.toHaveBeenCalled();
  await tell(NEW);
  expect(list.state.get()).toMatchObject({ nominees: NEW });
  expect(states).toEqual(['loading', 'ready', 'ready']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).toHaveBeenCalledExactlyOnceWith(listRevisionOf(NEW));
});

test('W42 a list is compared with what the status names once it is needed and loaded', async () => {
  const { list, loads, tell } = follow();
  await tell(NEW);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).not.toHaveBeenCalled();
  list.ensureLoaded();
  await vi.advanceTimersByTimeAsync(0);
  expect(list.state.get()).toMatchObject({ nominees: NEW });
});

test.each([
  ['games', NEW],
  ['none', []],
])(
  'W42 W11 a list of %s that could not be loaded is loaded once the server answers',
  async (_what, nominees) => {
    vi.useFakeTimers();
    const known = createObservable(INITIAL_LIVE_STATE);
    const list = createNominees(async () => 'unreachable');
    let answer: Awaited<ReturnType<LoadNominees>> = 'unreachable';
    followNominees(known, list, async () => answer);
    await list.ensureLoaded();
    const status = { ...ALWAYS_OPEN, listRevision: listRevisionOf(nominees) };
    known.set({ ...INITIAL_LIVE_STATE, status });
    await vi.advanceTimersByTimeAsync(0);
    // Nothing moves while it fails again.
    expect(list.state.get()).toEqual({ status: 'failed', reason: 'unreachable' });
    answer = nominees;
    await vi.advanceTimersByTimeAsync(POLL_MS);
    expect(list.state.get()).toEqual({ status: 'ready', nominees });
  },
);

test('N6 W42 a list in another order is not loaded again, and with a new one no card moves', async () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => buildNominee({ id }));
  if (!a || !b || !c || !d) throw new Error('no nominees');
  let server: readonly Nominee[] = [c, b, a];
  const { list, loads, tell } = follow(async () => server, rotateTo([a, b, c], 'b'));
  const shown = () =>
    list.state
      .get()
      .nominees?.map(({ id }) => id)
      .join();
  list.ensureLoaded();
  await tell([a, b, c]);
  expect([loads.mock.calls, shown()]).toEqual([[], 'b,c,a']);
  server = [d, a, b, c];
  await tell(server);
  expect(shown()).toBe('b,c,d,a');
  server = [a, c, d];
  await vi.advanceTimersByTimeAsync(3_000);
  await tell(server);
  expect(shown()).toBe('c,d,a');
});

test('W42 after a failure, or the old list once more, it asks again every 3 s', async () => {
  const load = vi.fn<LoadNominees>(async () => NEW).mockResolvedValueOnce('broken');
  const { list, loads, tell } = follow(load.mockResolvedValueOnce(OLD));
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
  const { list, loads, tell } = follow(async () => OLD);
  list.ensureLoaded();
  await tell(NEW);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(loads).toHaveBeenCalledTimes(10);
});

test('W42 a hidden page waits until it is shown', async () => {
  const { list, loads, tell } = follow();
  list.ensureLoaded();
  await setVisibility('hidden');
  await tell(NEW);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(loads).not.toHaveBeenCalled();
  await setVisibility('visible');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(list.state.get()).toMatchObject({ nominees: NEW });
});
