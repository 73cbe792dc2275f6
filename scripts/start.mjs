// `pnpm start`: builds the page if it has changed, then runs the standalone home in this process.
import './build-page.mjs';

await import('../apps/functions/src/standalone.ts');
