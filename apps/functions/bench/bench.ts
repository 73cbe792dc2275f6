import { resolve } from 'node:path';
import { Command } from 'commander';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { type Context, type Figure, rowOf } from './figure.ts';
import { FIGURES } from './figures.ts';
import { measureGrowth } from './growth.ts';
import { cleanUp } from './processes/pinned.ts';
import { profileVotes } from './profile.ts';
import { writeReport } from './report.ts';

// `pnpm bench`: measures what docs/performance.md tells, each figure beside its reference.

interface Options {
  readonly only?: string[];
  readonly json?: true;
  readonly write?: true;
  readonly before?: string;
  readonly project: string;
  readonly rounds: string;
  readonly ms: string;
}

/** How many functions a profile names. */
const TOP = 15;

const options: Options = new Command('bench')
  .option('--only <names...>', `some of: ${Object.keys(FIGURES).join(', ')}`)
  .option('--json', 'print the figures as JSON')
  .option('--write', 'also measure growth and profiles, and write docs/performance.md')
  .option('--before <folder>', 'with --write: profile this checkout, too')
  .option('--project <folder>', 'measure the server of this checkout', PROJECT_ROOT)
  .option('--rounds <number>', 'how often each figure is measured beside its reference', '9')
  .option('--ms <number>', 'how long a measurement takes', '1000')
  .parse()
  .opts();

// The Firestore emulator needs no credentials: do not look for a metadata server.
process.env.METADATA_SERVER_DETECTION = 'none';
const context: Context = {
  project: resolve(options.project),
  rounds: Number(options.rounds),
  ms: Number(options.ms),
};
const figures: Figure[] = [];
try {
  for (const name of options.only ?? Object.keys(FIGURES)) {
    const measured = await FIGURES[name]?.(context);
    if (!measured) throw new Error(`there is no ${name}`);
    figures.push(...measured);
    if (!options.json) for (const figure of measured) console.log(lineOf(figure));
  }
  if (options.json) console.log(JSON.stringify(figures, undefined, 2));
  else console.table(figures.map(rowOf));
  if (options.write) {
    const profiles = [{ title: 'now', times: await profileVotes(context, TOP) }];
    if (options.before !== undefined) {
      const before = { ...context, project: resolve(options.before) };
      profiles.unshift({ title: 'before', times: await profileVotes(before, TOP) });
    }
    await writeReport({ figures, growths: await measureGrowth(context), profiles });
  }
} finally {
  cleanUp();
}

function lineOf(figure: Figure): string {
  return Object.values(rowOf(figure)).join(' | ');
}
