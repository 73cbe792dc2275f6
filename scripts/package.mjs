// `pnpm run package [FOLDER]`: builds the page if it has changed, then writes the folder of a server
// that runs elsewhere.
import { buildPage, explainOptions } from './run.mjs';

explainOptions(
  'run package [FOLDER]\n\nWrites the server that runs elsewhere into that folder, by default dist.',
);
await buildPage();
await import('../apps/functions/build/package.ts');
