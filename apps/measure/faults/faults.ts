import { openEmulator } from '@goty/functions/testing/emulator';
import { openReport } from '../base/report.ts';
import { CLOUD } from './cloud-faults.ts';
import { FULL, type Scenario } from './scenario.ts';
import { STANDALONE } from './standalone-faults.ts';

// `pnpm faults`: injects one fault after the other under load and counts the votes.

// Emulators need no credentials: do not look for a metadata server.
process.env.METADATA_SERVER_DETECTION = 'none';

const report = openReport('faults', 1, 'reliability.md');
const isChosen = ({ title }: Scenario) => report.isChosen(title);
await runAll(STANDALONE.filter(isChosen));
if (CLOUD.some(isChosen)) {
  const { host, advice, stop } = await openEmulator();
  if (advice) throw new Error(`There is no Firestore: ${advice}.`);
  await runAll(CLOUD.filter(isChosen), host);
  await stop();
}
if (!process.exitCode) report.publish();

async function runAll(scenarios: readonly Scenario[], firestoreHost?: string) {
  for (const { title, run } of scenarios) {
    try {
      report.add(await run({ ...FULL, seed: report.seed }, firestoreHost));
    } catch (error) {
      console.error(title, error);
      process.exitCode = 1;
    }
  }
}
