// `pnpm demo [NOMINEES]`: builds the page if it has changed, then rehearses a whole evening in this process.
import { build } from './run.mjs';

build('@goty/web');

await import('../apps/functions/demo/demo.ts');
