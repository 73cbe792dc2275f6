import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../base/report.ts';
import { interleave } from '../base/statistics.ts';
import type { Sample } from './figure.ts';

const FUNCTION = join(ROOT, 'apps/functions/dist');
const EMPTY = join(FUNCTION, 'empty.js');
const EMPTY_CODE = `import { onRequest } from 'firebase-functions/v2/https';
export const api = onRequest(() => {});
`;

/** M9: to load the module of the built Function, compared with an empty one. */
export function functionLoad(rounds: number): Promise<Sample[]> {
  writeFileSync(EMPTY, EMPTY_CODE);
  return interleave(rounds, [join(FUNCTION, 'index.js'), EMPTY], load);
}

/** The time to import the module in a new process, in milliseconds. */
async function load(module: string): Promise<number> {
  const code = `const start = performance.now();
    await import(${JSON.stringify(module)});
    console.log(performance.now() - start);`;
  const args = ['--input-type=module', '--eval', code];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
