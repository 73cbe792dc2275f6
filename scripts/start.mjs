// `pnpm start`: builds the page where it changed, then serves it from this process.
import './check-node.mjs';
import { build } from './build.mjs';

build('@goty/web');

await import('../apps/functions/src/standalone.ts');
