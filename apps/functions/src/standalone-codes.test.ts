import { readFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { exchange } from '../testing/http.ts';
import { countBallots, GOTY, manyConnections, run, start, votosIn } from '../testing/process.ts';

const ENVIRONMENT = { VOTE_POLICY: 'one-per-code', PUBLIC_URL: 'https://vote.example' };

async function voteWith(port: number, code: string, agent: Agent): Promise<number | undefined> {
  const request = { agent, port, method: 'POST', path: '/api/goty/hades-2' };
  return (await exchange(request, JSON.stringify({ code })).catch(() => ({ status: 0 }))).status;
}

test('V17 V2 O21 of 500 codes 480 vote at once at a server that is killed meanwhile, and again after it: 480 ballots', async () => {
  const server = await start(ENVIRONMENT);
  const { DATABASE } = server;
  const out = join(dirname(DATABASE), 'codes.csv');
  const making = run({ ...ENVIRONMENT, DATABASE }, [GOTY, 'codes', '--make', '500', '--out', out]);
  expect(await making.exit).toEqual([0, null]);
  const [, ...rows] = readFileSync(out, 'utf8').trim().split('\n');
  const codes = rows.slice(0, 480).map((row) => row.split(';')[0] ?? '');
  expect(new Set(codes).size).toBe(480);

  const agent = manyConnections();
  // The server looks for codes twice a second.
  const request = { port: server.port, method: 'POST', path: '/api/code' };
  const [code] = codes;
  await expect
    .poll(async () => (await exchange(request, JSON.stringify({ code }))).status)
    .toBe(200);
  let confirmed = 0;
  const first = await Promise.all(
    codes.map(async (code) => {
      const status = await voteWith(server.port, code, agent);
      if (status === 200) confirmed += 1;
      if (confirmed === 100) server.child.kill('SIGKILL');
      return status;
    }),
  );
  expect(confirmed).toBeGreaterThanOrEqual(100);
  await server.exit;
  expect(await server.stderr).toContain('There are no codes, so nobody can vote yet');
  expect(first).toContain(0);
  const { ballots } = countBallots(DATABASE) as { ballots: number };
  expect(ballots).toBeGreaterThanOrEqual(confirmed);

  const again = await start({ ...ENVIRONMENT, DATABASE });
  const later = await Promise.all(
    [...codes, ...codes].map((code) => voteWith(again.port, code, agent)),
  );
  expect(new Set(later)).toEqual(new Set([200]));
  await again.stop();
  expect(countBallots(DATABASE)).toEqual({ ballots: 480 });
  expect(votosIn(DATABASE)).toMatchObject({ 'hades-2': 480 });
});
