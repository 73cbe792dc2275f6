// `pnpm emulators`: builds the page and the Function, then starts the Firebase emulators with them.
import { build } from './run.mjs';

build('@goty/web', '@goty/functions');

await import('../apps/functions/emulators/start.ts');
