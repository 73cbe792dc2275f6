// `pnpm demo [NOMINEES]`: builds the page if it has changed, then rehearses a whole evening in this process.
import { buildPage, explainOptions } from './run.mjs';

explainOptions(
  'demo [NOMINEES]\n\nRehearses an evening of three minutes, with the nominees of that file.',
);
await buildPage();
await import('../apps/functions/demo/demo.ts');
