import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import chromium, { inflate } from '@sparticuz/chromium';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** What Playwright launches. */
interface Browser {
  readonly executablePath: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Finds the browser for most tests: CHROME_PATH, else the one that comes with the dependencies (Linux x64 only), else
 * an installed Chromium or Chrome. The first is the same version everywhere, and as it has no windows, it takes half of
 * the processor time. Downloads nothing.
 */
export async function findTestBrowser(): Promise<Browser | undefined> {
  const bundled = process.env.CHROME_PATH ? undefined : await unpackBrowser();
  const executablePath = bundled ? undefined : await findBrowser();
  return bundled ?? (executablePath ? { executablePath } : undefined);
}

/**
 * Finds the browser as visitors have it: CHROME_PATH, else an installed Chromium or Chrome, else the one that comes with
 * the dependencies (Linux x64 only). Downloads nothing.
 *
 * @returns the path of its executable, or `undefined` if there is none
 */
export async function findBrowser(): Promise<string | undefined> {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH;
  const installed = findProgram(...NAMES) ?? PLACES.find((path) => existsSync(path));
  if (installed) return installed;
  const bundled = await unpackBrowser();
  // Nothing else is launched here: where Chromium is missing, so are the other engines.
  Object.assign(process.env, bundled?.env);
  return bundled?.executablePath;
}

export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}

/** With the libraries and fonts for Amazon Linux 2023, which a minimal Linux image may lack, and others must not use. */
async function unpackBrowser(): Promise<Browser | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const libraries = await inflate(join(dirname(entry), '../bin/al2023.tar.br'));
  const executablePath = await chromium.executablePath();
  const env = { FONTCONFIG_PATH: join(tmpdir(), 'fonts'), LD_LIBRARY_PATH: join(libraries, 'lib') };
  return { executablePath, env: { ...process.env, ...env } };
}
