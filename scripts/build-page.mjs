// The commands that serve or pack the page preload this script, which builds the page first, unless its sources are as they were
// at the last build. Turborepo, which could tell, too, is not installed where only `pnpm start` was called.
import { assertBuilt, explainOptions, run } from './run.mjs';

const USAGES = {
  start: 'start\n\nRuns the server. Variables configure it: see README.md.',
  demo: 'demo [NOMINEES]\n\nRehearses an evening of three minutes, with the nominees of that file.',
  package:
    'run package [FOLDER]\n\nWrites the server that runs elsewhere into that folder, by default dist.',
};

explainOptions(USAGES[process.env.npm_lifecycle_event]);
// sources.ts is imported only after run.mjs has checked Node, because an older Node cannot read TypeScript.
const { isBuildCurrent } = await import('../apps/web/build/sources.ts');
if (!isBuildCurrent()) {
  const options = { encoding: 'utf8', shell: false, stdio: 'pipe' };
  assertBuilt(run(process.execPath, ['apps/web/build/build.ts'], options), 'The page');
}
