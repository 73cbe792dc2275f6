import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { createNomineeList } from './nominee-list.ts';

const NOMINEES = [buildNominee()];

test('W10 the list is not loaded before it is needed', () => {
  const load = vi.fn(async () => NOMINEES);
  expect(createNomineeList(load).state.get()).toEqual({ status: 'loading' });
  expect(load).not.toHaveBeenCalled();
});

test('W10 concurrent calls load the list once', async () => {
  const load = vi.fn(async () => NOMINEES);
  const list = createNomineeList(load);
  list.ensureLoaded();
  list.ensureLoaded();
  await vi.waitUntil(() => list.state.get().status === 'ready');
  expect(load).toHaveBeenCalledTimes(1);
});

test.each([[NOMINEES], [[]]])('W10 the list %j is kept and not loaded again', async (nominees) => {
  const load = vi.fn(async () => nominees);
  const list = createNomineeList(load);
  list.ensureLoaded();
  await vi.waitUntil(() => list.state.get().status === 'ready');
  list.ensureLoaded();
  expect(list.state.get()).toEqual({ status: 'ready', nominees });
  expect(load).toHaveBeenCalledTimes(1);
});

test('W10 a failed load is not kept: the next call loads again', async () => {
  const load = vi.fn(async () => NOMINEES).mockRejectedValueOnce(new Error('down'));
  const list = createNomineeList(load);
  const states: string[] = [];
  list.state.subscribe(() => states.push(list.state.get().status));
  list.ensureLoaded();
  await vi.waitUntil(() => list.state.get().status === 'failed');
  list.ensureLoaded();
  await vi.waitUntil(() => list.state.get().status === 'ready');
  expect(states).toEqual(['loading', 'failed', 'loading', 'ready']);
});
