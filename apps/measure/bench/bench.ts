import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { publish, type Row } from '../base/report.ts';
import { rowOf } from './figure.ts';
import { FIGURES } from './figures.ts';

// `pnpm bench`: measures what docs/performance.md tells, each figure beside its reference.

/** Servers are on the other one (see server.ts). */
const LOAD_CORE = 1;

const { only, rounds, write } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: FIGURES.map(({ id }) => id) },
    rounds: { type: 'string', default: '9' },
    write: { type: 'boolean', default: false },
  },
}).values;

spawnSync('taskset', ['-acp', String(LOAD_CORE), String(process.pid)]);
const rows: Row[] = [];
for (const figure of FIGURES.filter(({ id }) => only.includes(id))) {
  const row = rowOf(figure, await figure.run(Number(rounds)));
  console.log(Object.values(row).join(' | '));
  rows.push(row);
}
publish('figures', rows, write);
