// Imported first by what a newcomer runs: plain JavaScript, so that an older Node can read it.
// On Linux and Windows (x64, or arm64 on Linux) Node comes with the dependencies; elsewhere it has to be there.
const NEEDED = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < NEEDED) {
  console.error(
    `GOTY needs Node ${NEEDED} or later and this is ${process.versions.node}: install it from https://nodejs.org and try again.`,
  );
  process.exit(1);
}
