import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { createNomineeList } from './nominee-list.ts';

const NOMINEES = [buildNominee()];

test('W10 the list is not loaded before somebody needs it', () => {
  const load = vi.fn(async () => NOMINEES);
  expect(createNomineeList(load).state.get()).toEqual({ status: 'loading' });
  expect(load).not.toHaveBeenCalled();
});

test('W10 two screens that need it at once make one call', async () => {
  const load = vi.fn(async () => NOMINEES);
  const list = createNomineeList(load);
  list.need();
  list.need();
  await vi.waitUntil(() => list.state.get().status === 'ready');
  expect(load).toHaveBeenCalledTimes(1);
});

test.each([[NOMINEES], [[]]])(
  'W10 the list %j is kept: later needs make no call',
  async (nominees) => {
    const load = vi.fn(async () => nominees);
    const list = createNomineeList(load);
    list.need();
    await vi.waitUntil(() => list.state.get().status === 'ready');
    list.need();
    expect(list.state.get()).toEqual({ status: 'ready', nominees });
    expect(load).toHaveBeenCalledTimes(1);
  },
);

test('W10 a failed load is not kept: the next need calls again', async () => {
  const load = vi.fn(async () => NOMINEES).mockRejectedValueOnce(new Error('down'));
  const list = createNomineeList(load);
  const states: string[] = [];
  list.state.subscribe(() => states.push(list.state.get().status));
  list.need();
  await vi.waitUntil(() => list.state.get().status === 'failed');
  list.need();
  await vi.waitUntil(() => list.state.get().status === 'ready');
  expect(states).toEqual(['loading', 'failed', 'loading', 'ready']);
});
