import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// `pnpm bench:start-up`: the load time of the Function's module, compared with that of a module
// with an empty Function. Medians of interleaved rounds.

const ROUNDS = 15;
const ROOT = resolve(import.meta.dirname, '..');
const ours = join(ROOT, 'dist/index.js');
const bare = join(ROOT, 'dist/bare.js');

writeFileSync(
  bare,
  "import { onRequest } from 'firebase-functions/v2/https';\nexport const api = onRequest(() => {});\n",
);
const times: Record<string, number[]> = { [ours]: [], [bare]: [] };
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [module, list] of Object.entries(times)) list.push(load(module));
  }
} finally {
  rmSync(bare);
}

const [oursMs, bareMs] = [median(times[ours]), median(times[bare])];
console.table({
  'the Function': { 'median ms': oursMs.toFixed(1) },
  'an empty Function': { 'median ms': bareMs.toFixed(1) },
  ratio: { 'median ms': (oursMs / bareMs).toFixed(2) },
});

/** The time to import the module in a new process, in milliseconds. */
function load(module: string): number {
  const code = `const start = performance.now();
    await import(${JSON.stringify(pathToFileURL(module).href)});
    console.log(performance.now() - start);`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', code],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

function median(list: readonly number[] | undefined): number {
  return list?.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}
