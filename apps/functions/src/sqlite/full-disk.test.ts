import { spawnSync } from 'node:child_process';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { countBallots, start, vote } from '../../testing/process.ts';

test('V8 P4 while votes cannot be written health is 503, and a stop loses and claims nothing', async ({
  skip,
}) => {
  skip(process.platform !== 'linux', 'the size of a file can be limited on Linux only');
  const DATABASE = join(testFolder(), 'goty.sqlite');
  const { child, exit, port, stderr } = await start({ DATABASE });
  /** No file may be written beyond that many bytes, as on a full disk. */
  const limit = (bytes: string) =>
    spawnSync('prlimit', [`--pid=${child.pid}`, `--fsize=${bytes}:unlimited`]);
  const health = async () => (await fetch(`http://127.0.0.1:${port}/api/health`)).status;
  const agent = new Agent();
  expect([await vote(port, '1', agent), await health()]).toEqual([200, 200]);
  limit('4096');
  expect([await vote(port, '2', agent), await health()]).toEqual([503, 503]);
  // Nothing is written for a vote that is stored already.
  expect([await vote(port, '1', agent), await health()]).toEqual([200, 503]);
  limit('unlimited');
  expect([await vote(port, '2', agent), await health()]).toEqual([200, 200]);
  limit('4096');
  expect([await vote(port, '3', agent), await health()]).toEqual([503, 503]);
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(await stderr).not.toContain('not where they were');
  expect(countBallots(DATABASE)).toEqual({ ballots: 2 });
});
