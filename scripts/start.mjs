// `pnpm start`: builds the page if it has changed, then runs the standalone home in this process.
import { explainOptions } from './run.mjs';

explainOptions('start\n\nRuns the server. Variables configure it: see README.md.');
await import('./build-page.mjs');
await import('../apps/functions/src/standalone.ts');
