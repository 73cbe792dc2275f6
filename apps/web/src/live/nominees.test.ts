import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { createNominees, type LoadNominees } from './nominees.ts';

const NOMINEES = [buildNominee()];

test.each([[NOMINEES], [[]]])('W10 the list %j is loaded once, and kept', async (nominees) => {
  const load = vi.fn(async () => nominees);
  const list = createNominees(load);
  expect(list.state.get()).toEqual({ status: 'loading' });
  expect(load).not.toHaveBeenCalled();
  list.ensureLoaded();
  expect(await list.ensureLoaded()).toEqual({ status: 'ready', nominees });
  list.ensureLoaded();
  expect(list.state.get()).toEqual({ status: 'ready', nominees });
  expect(load).toHaveBeenCalledTimes(1);
});

test('W10 a failed load is not kept: the next call loads again', async () => {
  const load = vi.fn<LoadNominees>(async () => NOMINEES).mockResolvedValueOnce('broken');
  const list = createNominees(load);
  const states: string[] = [];
  list.state.subscribe(() => states.push(list.state.get().status));
  await list.ensureLoaded();
  await list.ensureLoaded();
  expect(states).toEqual(['loading', 'failed', 'loading', 'ready']);
});
