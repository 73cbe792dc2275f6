import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable, ROOT, writePart } from '../base/report.ts';
import { COMPARED } from './comparisons.ts';
import { type Effort, type Figure, rowOf } from './figure.ts';
import { measureGrowth } from './growth.ts';
import { cloudWrites, spreadToViewers, syncsForVotes } from './single-figures.ts';

// `pnpm bench`: measures what docs/performance.md tells, each figure beside its reference.

const PAGE = 'performance.md';
/** Servers are on the other one (see server.ts). */
const LOAD_CORE = 1;

const FIGURES: Readonly<Record<string, (effort: Effort) => Promise<Figure[]>>> = {
  ...COMPARED,
  syncs: syncsForVotes,
  viewers: spreadToViewers,
  cloud: cloudWrites,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: Object.keys(FIGURES) },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    project: { type: 'string', default: ROOT },
    rounds: { type: 'string', default: '9' },
    ms: { type: 'string', default: '1000' },
  },
});
const effort: Effort = {
  project: resolve(values.project),
  rounds: Number(values.rounds),
  ms: Number(values.ms),
};

spawnSync('taskset', ['-acp', String(LOAD_CORE), String(process.pid)]);
const figures: Figure[] = [];
for (const name of values.only) {
  const measured = await FIGURES[name]?.(effort);
  if (!measured) throw new Error(`no ${name}: there are ${Object.keys(FIGURES).join(', ')}`);
  figures.push(...measured);
  if (!values.json) console.log(markdownTable(measured.map(rowOf)));
}
if (values.json) console.log(JSON.stringify(figures, undefined, 2));
if (values.write) {
  const [processor] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const machine = `Node ${process.version}, ${cpus().length} cores (${processor?.model.trim()})`;
  const table = markdownTable(figures.map(rowOf));
  writePart(PAGE, 'figures', `Measured on ${date}, ${machine}.\n\n${table}`);
  writePart(PAGE, 'growth', await measureGrowth(effort));
}
