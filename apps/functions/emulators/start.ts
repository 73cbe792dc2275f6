import { OperatorError } from '../src/operator-error.ts';
import { startEmulators } from './emulators.ts';

// `pnpm emulators`, after the builds.

// Nobody is to be asked for credentials.
process.env.METADATA_SERVER_DETECTION = 'none';

try {
  const { address, ended, stop } = await startEmulators(
    process.env.FIREBASE_JSON || 'firebase.json',
  );
  console.info(`GOTY is open at ${address}`);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  await ended;
  await stop();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
