import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import chromium, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Finds the browser for the tests: CHROME_PATH, else an installed Chromium or Chrome, else the one
 * bundled with the dependencies (Linux x64 only). Downloads nothing.
 *
 * @returns the path of its executable, or `undefined` if there is none
 */
export async function findBrowser(): Promise<string | undefined> {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  const installed = findProgram(...NAMES) ?? PLACES.find((path) => existsSync(path));
  if (installed) return installed;
  return process.platform === 'linux' && process.arch === 'x64' ? bundledBrowser() : undefined;
}

export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}

/** Uses the libraries bundled for Amazon Linux 2023, which a minimal Linux image may lack. */
async function bundledBrowser(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const libraries = await inflate(join(dirname(entry), '../bin/al2023.tar.br'));
  setupLambdaEnvironment(join(libraries, 'lib'));
  return chromium.executablePath();
}
