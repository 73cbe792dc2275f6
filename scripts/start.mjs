// `pnpm start`: builds the page if it has changed, then runs the standalone home in this process.
import { buildPage, explainOptions } from './run.mjs';

explainOptions('start\n\nRuns the server. Variables configure it: see README.md.');
await buildPage();
await import('../apps/functions/src/standalone.ts');
