// `pnpm demo [NOMINEES]`: builds the page if it has changed, then rehearses a whole evening in this process.
import { explainOptions } from './run.mjs';

explainOptions(
  'demo [NOMINEES]\n\nRehearses an evening of three minutes, with the nominees of that file.',
);
await import('./build-page.mjs');
await import('../apps/functions/demo/demo.ts');
