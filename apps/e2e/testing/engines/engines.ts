import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findBrowser } from '../browser.ts';
import { launchChromium } from './chromium.ts';
import type { Driver } from './driver.ts';
import { launchFirefox } from './firefox.ts';
import { launchWebKit } from './webkit.ts';

export interface Engine {
  readonly name: string;
  /** The promise of SPEC.md that the page works there. */
  readonly promise: string;
  /** `undefined` if it is not installed. */
  readonly launch: (() => Promise<Driver>) | undefined;
  /** What to install. */
  readonly packages: string;
}

const chromium = await findBrowser();
const firefox = findProgram('firefox-esr') ?? findProgram('firefox');
const webKit = findProgram('xvfb-run') && findProgram('WebKitWebDriver');

/** The engines that the page is tested in. */
export const ENGINES: readonly Engine[] = [
  {
    name: 'Chromium',
    promise: 'W133',
    launch: chromium === undefined ? undefined : () => launchChromium(chromium),
    packages: 'chromium',
  },
  {
    name: 'Firefox',
    promise: 'W134',
    launch: firefox === undefined ? undefined : () => launchFirefox(firefox),
    packages: 'firefox-esr',
  },
  {
    name: 'WebKit',
    promise: 'W135',
    launch: webKit === undefined ? undefined : () => launchWebKit(webKit),
    packages: 'webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb',
  },
];

function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
