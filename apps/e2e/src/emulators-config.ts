import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
const HOSTING = 'apps/e2e/.artifacts/hosting';
/** Of firebase.json, in the Content-Security-Policy too. */
const STANDARD_FIRESTORE = '127.0.0.1:8080';

export interface EmulatorAddresses {
  /** `host:port` */
  readonly firestore: string;
  readonly functionsPort: number;
  readonly hostingPort: number;
}

/**
 * Writes a firebase.json whose emulators are out of the way of others, and a copy of the built page
 * that looks for Firestore there. Returns its name; it has to be in the project's folder.
 */
export function writeEmulatorsConfig(addresses: EmulatorAddresses): string {
  const { firestore, functionsPort, hostingPort } = addresses;
  const text = readFileSync(join(ROOT, 'firebase.json'), 'utf8');
  const config = JSON.parse(text.replaceAll(STANDARD_FIRESTORE, firestore));
  config.hosting.public = HOSTING;
  const [host, port] = firestore.split(':');
  config.emulators.firestore = { host, port: Number(port) };
  config.emulators.functions.port = functionsPort;
  config.emulators.hosting.port = hostingPort;
  const name = 'firebase.e2e.json';
  writeFileSync(join(ROOT, name), JSON.stringify(config));

  const folder = join(ROOT, HOSTING);
  rmSync(folder, { force: true, recursive: true });
  cpSync(join(ROOT, 'apps/web/dist'), folder, { recursive: true });
  for (const file of readdirSync(folder).filter((entry) => entry.endsWith('.html'))) {
    const html = readFileSync(join(folder, file), 'utf8');
    writeFileSync(
      join(folder, file),
      html.replace('<html ', `<html data-firestore="${firestore}" `),
    );
  }
  return name;
}
