import { spawnSync } from 'node:child_process';
import { openReport } from '../base/report.ts';
import { FIGURES } from './figures.ts';

// `pnpm bench`: measures what docs/performance.md tells, each figure beside its reference.

/** Servers are on the other one (see server.ts). */
const LOAD_CORE = 1;

const report = openReport('figures', 9);
spawnSync('taskset', ['-acp', String(LOAD_CORE), String(process.pid)]);
for (const { id, row } of FIGURES) if (report.isChosen(id)) report.add(await row(report.rounds));
report.publish();
