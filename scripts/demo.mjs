// `pnpm demo [NOMINEES]`: builds the page if it has changed, then rehearses a whole evening in this process.
import './build-page.mjs';

await import('../apps/functions/demo/demo.ts');
