import { totalVotes } from '@goty/shared/game';
import { LIMITED_PORT_OFFSET } from '../../testing/emulators-config.ts';
import { expect, test } from '../../testing/goty-test.ts';

test('V12 behind Hosting one vote of a browser counts, whose cookie is for list and votes only', async ({
  request,
  baseURL,
}) => {
  const { hostname, port } = new URL(baseURL ?? '');
  const home = `http://${hostname}:${Number(port) + LIMITED_PORT_OFFSET}`;
  const countVotes = async () => {
    const { standings } = await (await request.get(`${home}/api/standings`)).json();
    return totalVotes(standings);
  };
  const before = await countVotes();
  await request.get(`${home}/api/goty`);
  const votes = [];
  for (const game of ['hades-2', ...Array(4).fill('blue-prince')]) {
    votes.push((await request.post(`${home}/api/goty/${game}`)).status());
  }
  expect(votes).toEqual([200, 409, 409, 409, 409]);
  await expect.poll(countVotes).toBe(before + 1);
  const { cookies } = await request.storageState();
  expect(cookies).toMatchObject([{ name: '__session', path: '/api/goty' }]);
});
