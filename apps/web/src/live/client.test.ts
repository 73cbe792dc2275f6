import { expect, test, vi } from 'vitest';
import { buildStandings } from '../../testing/builders.ts';
import { answer } from '../../testing/stub-fetch.ts';
import { createClient } from './client.ts';

test('W101 standings that somebody asks for are overheard, and nothing else is asked for', async () => {
  const standings = buildStandings(3);
  const rows = standings.map(({ id, name, votos }) => [id, name, votos]);
  const fetches = answer(200, { now: Date.now(), nominees: '', standings: rows });
  const client = createClient();
  const heard = vi.fn();
  client.overhear(heard);
  expect(fetches).not.toHaveBeenCalled();
  const told = Promise.withResolvers<unknown>();
  const stop = client.standings(told.resolve);
  expect(await told.promise).toEqual({ type: 'standings', standings });
  stop();
  expect(heard).toHaveBeenCalledExactlyOnceWith(standings);
  expect(fetches).toHaveBeenCalledTimes(1);
});
