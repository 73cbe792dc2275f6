import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '../../testing/goty-test.ts';

const GOTY = resolve(import.meta.dirname, '../../../functions/cli/goty.ts');
const RUN = ['--disable-warning=ExperimentalWarning', GOTY, 'check'];

test('O17 goty check finds nothing wrong with this home', async ({
  baseURL,
  homeName,
  request,
}) => {
  // The first answer of an instance may take longer than the command waits for one.
  await request.get('/api/health');
  const { stdout } = await promisify(execFile)(process.execPath, [...RUN, `${baseURL}/inicio`]);
  const passed = stdout.match(/(?<=^ok {7})[^:\n]+/gm);
  const only = homeName === 'cloud' ? ['Firestore'] : ['live stream'];
  expect(passed).toEqual([
    'health',
    'page',
    'build',
    'own votes',
    'security headers',
    'covers',
    'failures',
    'caching',
    'compression',
    'refused votes',
    'repeated votes',
    ...only,
  ]);
});
