// Preloaded by the commands that serve or pack the page: builds it first, unless what it is built from is as it was at the
// last build. Turborepo, which knows that too, is not there where only `pnpm start` was called.
import { assertBuilt, explainOptions, run } from './run.mjs';

const USAGES = {
  start: 'start\n\nRuns the server. Variables configure it: see README.md.',
  demo: 'demo [NOMINEES]\n\nRehearses an evening of three minutes, with the nominees of that file.',
  package:
    'run package [FOLDER]\n\nWrites the server that runs elsewhere into that folder, by default dist.',
};

explainOptions(USAGES[process.env.npm_lifecycle_event]);
// Only now: an older Node cannot read TypeScript.
const { isBuildCurrent } = await import('../apps/web/build/sources.ts');
if (!isBuildCurrent()) {
  const options = { encoding: 'utf8', shell: false, stdio: 'pipe' };
  assertBuilt(run(process.execPath, ['apps/web/build/build.ts'], options), 'The page');
}
