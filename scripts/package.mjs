// `pnpm run package [FOLDER]`: builds the page if it has changed, then writes the folder of a server
// that runs elsewhere.
import './build-page.mjs';

await import('../apps/functions/build/package.ts');
