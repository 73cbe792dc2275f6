import { findBrowser, findProgram } from '../browser.ts';
import { launchChromium } from './chromium.ts';
import { launchFirefox } from './firefox.ts';
import { launchWebKit } from './webkit.ts';

const chromium = await findBrowser();
const firefox = findProgram('firefox-esr', 'firefox');
const webKit = findProgram('Xvfb') && findProgram('WebKitWebDriver');

/**
 * The engines that the page is tested in, each with the promise of SPEC.md that it works there, what starts it, if
 * it is installed, and what to install.
 */
export const ENGINES = [
  {
    name: 'Chromium',
    promise: 'W133',
    launch: chromium && (() => launchChromium(chromium)),
    packages: 'chromium',
  },
  {
    name: 'Firefox',
    promise: 'W134',
    launch: firefox && (() => launchFirefox(firefox)),
    packages: 'firefox-esr',
  },
  {
    name: 'WebKit',
    promise: 'W135',
    launch: webKit && (() => launchWebKit(webKit)),
    packages: 'webkit2gtk-driver gir1.2-webkit2-4.1 python3-gi xvfb',
  },
];
