import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fillHomeSlots, type LiveMark } from '@goty/shared/page-html';
import { FIRESTORE_EMULATOR } from '@goty/shared/protocol';

const ROOT = resolve(import.meta.dirname, '../../..');
const BUILT = join(ROOT, 'apps/web/dist');
const FUNCTION = 'apps/functions/dist';
/** By which the page knows that it is in the cloud. */
const MARK = `data-live="${'firestore' satisfies LiveMark}"`;
const HOSTING = 'apps/e2e/.artifacts/hosting';
/** The configuration of a second Function and Hosting site, with one vote for each visitor. */
const LIMITED = 'apps/e2e/.artifacts/one-per-visitor';
/** How much higher the port of firebase-tools' second Hosting site is. */
export const LIMITED_PORT_OFFSET = 5;

interface EmulatorAddresses {
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
  const api = { regex: '^/api(/|$)', function: { functionId: 'limited-api' } };
  const [, ...others] = config.hosting.rewrites;
  const hosting = { ...config.hosting, public: HOSTING };
  config.hosting = [
    { ...hosting, site: 'unlimited' },
    { ...hosting, site: 'limited', rewrites: [api, ...others] },
  ];
  const limited = { codebase: 'limited', prefix: 'limited', configDir: LIMITED };
  config.functions = [config.functions, { ...config.functions, ...limited }];
  const parameters = readFileSync(join(ROOT, FUNCTION, '.env'), 'utf8');
  mkdirSync(join(ROOT, LIMITED), { recursive: true });
  writeFileSync(join(ROOT, LIMITED, '.env'), parameters.replace('=unlimited', '=one-per-visitor'));
  const [host, port] = firestore.split(':');
  config.emulators.firestore = { host, port: Number(port) };
  config.emulators.functions.port = functionsPort;
  config.emulators.hosting.port = hostingPort;
  // With a dot, so that nothing that looks through the project's files finds it.
  const name = '.firebase.e2e.json';
  writeFileSync(join(ROOT, name), JSON.stringify(config));

  const folder = join(ROOT, HOSTING);
  const templates = join(BUILT, '.templates');
  const nominees = JSON.parse(readFileSync(join(ROOT, 'nominees.json'), 'utf8'));
  rmSync(folder, { force: true, recursive: true });
  cpSync(BUILT, folder, { recursive: true });
  for (const file of readdirSync(templates)) {
    const html = fillHomeSlots(readFileSync(join(templates, file), 'utf8'), {
      live: 'firestore',
      origin: `http://127.0.0.1:${hostingPort}`,
      nominees,
    });
    writeFileSync(join(folder, file), html.replace(MARK, `${MARK} data-firestore="${firestore}"`));
  }
  return name;
}
