import { buildNominee } from '@goty/shared/testing/nominee';
import { expect, test, vi } from 'vitest';
import { answer, breakDown } from '../../testing/stub-fetch.ts';
import { createNominees, fetchNominees, type LoadNominees } from './nominees.ts';

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

test('N1 W10 W33 the nominees are parsed from the response, if there is one', async () => {
  answer(200, [buildNominee()]);
  expect(await fetchNominees()).toEqual([buildNominee()]);
  breakDown();
  expect(await fetchNominees()).toBe('unreachable');
});

test.each([
  [503, '', 'busy'],
  [200, { games: [] }, 'broken'],
  [200, '<!doctype html>', 'broken'],
])('W10 W33 a %i with %j is not a nominee list, but %s', async (status, body, reason) => {
  answer(status, body);
  expect(await fetchNominees()).toBe(reason);
});
