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
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Finds the browser for most tests: CHROME_PATH, else the one that comes with the dependencies (Linux x64 only), else
 * an installed Chromium or Chrome. What comes with the dependencies has no windows and takes half of the processor time.
 * Downloads nothing.
 */
export async function findTestBrowser(): Promise<Browser | undefined> {
  return (process.env.CHROME_PATH ? undefined : await unpackBrowser()) ?? findBrowser();
}

/**
 * Finds the browser as visitors have it: CHROME_PATH, else an installed Chromium or Chrome, else the one that comes with
 * the dependencies (Linux x64 only). Downloads nothing.
 */
export async function findBrowser(): Promise<Browser | undefined> {
  const { env } = process;
  const executablePath =
    env.CHROME_PATH || findProgram(...NAMES) || PLACES.find((path) => existsSync(path));
  return executablePath ? { executablePath, env } : unpackBrowser();
}

export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}

/**
 * Unpacks the browser that comes with the dependencies, with libraries and fonts that a minimal Linux may lack, and that
 * no other browser must use.
 */
async function unpackBrowser(): Promise<Browser | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const libraries = join(await inflate(join(dirname(entry), '../bin/al2023.tar.br')), 'lib');
  const executablePath = await chromium.executablePath();
  const { LD_LIBRARY_PATH: others, FONTCONFIG_PATH = join(tmpdir(), 'fonts') } = process.env;
  const LD_LIBRARY_PATH = [libraries, others].filter(Boolean).join(delimiter);
  return { executablePath, env: { ...process.env, FONTCONFIG_PATH, LD_LIBRARY_PATH } };
}
