// The scripts that users run import this one first. It is plain JavaScript, so that an older Node can parse it. On Linux (x64,
// arm64) and Windows (x64) Node comes with the dependencies; elsewhere it has to be installed.
import { existsSync } from 'node:fs';

const fromHere = (name) => existsSync(new URL(`../${name}`, import.meta.url));
// The packaged server has no workspace file, and needs no installation.
if (fromHere('pnpm-workspace.yaml') && !fromHere('node_modules')) {
  console.error('GOTY is not installed: run `npx -y pnpm@12 install`, then try again.');
  process.exit(1);
}

const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED) {
  const isMusl =
    process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  const advice = isMusl
    ? 'the one that GOTY brings along needs glibc, which Alpine and its like do not have, so install it with their package manager'
    : 'install it from https://nodejs.org';
  console.error(
    `GOTY needs Node ${NEEDED} or later, but this is ${process.versions.node}: ${advice}, and try again.`,
  );
  process.exit(1);
}
