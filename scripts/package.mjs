// `pnpm run package [FOLDER]`: builds the page if it has changed, then writes the folder of a server
// that runs elsewhere.
import { build } from './run.mjs';

build('@goty/web');

await import('../apps/functions/build/package.ts');
