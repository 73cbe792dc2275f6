// Builds the page, unless what it is built from is as it was at the last build. Turbo, which knows that too, is
// not there where only `pnpm start` was called.
import { run } from './run.mjs';

const { isBuildCurrent } = await import('../apps/web/build/sources.ts');

if (!isBuildCurrent()) {
  const { status, stdout, stderr } = run(process.execPath, ['apps/web/build/build.ts'], {
    encoding: 'utf8',
    shell: false,
    stdio: 'pipe',
  });
  if (status !== 0) {
    console.error(stdout + stderr);
    console.error('The page could not be built: see above.');
    process.exit(1);
  }
}
