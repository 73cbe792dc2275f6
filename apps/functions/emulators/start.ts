import { OperatorError } from '../src/runtime/operator-error.ts';
import { createEmulators } from './emulators.ts';

// `pnpm emulators`, once page and Function are built.

// Emulators need no credentials: do not look for a metadata server.
process.env.METADATA_SERVER_DETECTION = 'none';

const emulators = createEmulators(process.env.FIREBASE_JSON || 'firebase.json');

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, async () => {
    if (isStopping) return;
    isStopping = true;
    await emulators.stop();
    process.exit(0);
  });
}

try {
  await emulators.start();
  console.info(`GOTY is open at ${emulators.address}`);
  await emulators.ended();
  throw new OperatorError('The Firebase emulators have stopped unexpectedly.');
} catch (error) {
  if (!isStopping) {
    await emulators.stop();
    if (!(error instanceof OperatorError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
