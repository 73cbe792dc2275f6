import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filePath } from '../cli/target.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { rehearse } from './rehearsal.ts';

// `pnpm demo [NOMINEES]` rehearses a vote with the server of a real vote, but with a database of its own.

const folder = mkdtempSync(join(tmpdir(), 'goty-demo-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const [nomineesFile] = process.argv.slice(2);
// Set in the environment, these values win over those in `.env`. Port and address differ from those of the real vote, so that its
// open pages, which do not say 'ENSAYO', do not show the rehearsal.
Object.assign(process.env, {
  DATABASE: join(folder, 'goty.sqlite'),
  PORT: process.env.PORT || '3003',
  PUBLIC_URL: '',
  VOTES_PER_MINUTE: '0',
  ...(nomineesFile !== undefined && { NOMINEES: filePath(nomineesFile) }),
});
process.argv.push('--rehearsal');
const interruption = Promise.withResolvers<void>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interruption.resolve);

const { address, needsCode, stop, store } = (await import('../src/standalone.ts')).running;
console.info(`A rehearsal of three minutes with invented votes: vote at ${address}/goty,
watch at ${address}/inicio, in a hall at ${address}/inicio#sala`);
await Promise.race([rehearse(store, address, systemClock, needsCode), interruption.promise]);
await stop();
// After an interruption, `rehearse` is still waiting for its next second, so the process would not end by itself.
process.exit();
