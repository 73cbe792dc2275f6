import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fillHomeSlots, LIVE_MARKS } from '@goty/shared/page-html';
import { FIRESTORE_EMULATOR } from '@goty/shared/protocol';

const ROOT = resolve(import.meta.dirname, '../../..');
const BUILT = join(ROOT, 'apps/web/dist');
const HOSTING = 'apps/e2e/.artifacts/hosting';

export interface EmulatorAddresses {
  /** `host:port` */
  readonly firestore: string;
  readonly functionsPort: number;
  readonly hostingPort: number;
}

/**
 * Writes a firebase.json with the given addresses, and a copy of the built page that connects to
 * Firestore there.
 *
 * @returns the file name, in the project's folder, where firebase-tools needs it
 */
export function writeEmulatorsConfig(addresses: EmulatorAddresses): string {
  const { firestore, functionsPort, hostingPort } = addresses;
  const text = readFileSync(join(ROOT, 'firebase.json'), 'utf8');
  const config = JSON.parse(text.replaceAll(FIRESTORE_EMULATOR, firestore));
  config.hosting.public = HOSTING;
  const [host, port] = firestore.split(':');
  config.emulators.firestore = { host, port: Number(port) };
  config.emulators.functions.port = functionsPort;
  config.emulators.hosting.port = hostingPort;
  const name = 'firebase.e2e.json';
  writeFileSync(join(ROOT, name), JSON.stringify(config));

  const folder = join(ROOT, HOSTING);
  const templates = join(BUILT, '.templates');
  const nominees = JSON.parse(readFileSync(join(ROOT, 'nominees.json'), 'utf8'));
  rmSync(folder, { force: true, recursive: true });
  cpSync(BUILT, folder, { recursive: true });
  for (const file of readdirSync(templates)) {
    const html = fillHomeSlots(readFileSync(join(templates, file), 'utf8'), {
      live: LIVE_MARKS.firestore,
      firestore,
      origin: `http://127.0.0.1:${hostingPort}`,
      nominees,
    });
    writeFileSync(join(folder, file), html);
  }
  return name;
}
