import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { portOf } from '@goty/functions/http-server';
import { securityHeaders } from '@goty/functions/security-headers';
import { chromium } from '@playwright/test';
import compression from 'compression';
import express from 'express';
import { findBrowser } from '../testing/browser.ts';

// `pnpm lighthouse`: runs Lighthouse (mobile) on both screens in both themes and, for comparison,
// on the same content as static HTML without scripts. Prints a table of medians.

const LIGHTHOUSE = 'lighthouse@13.5.0';
const RUNS = 3;
const SCREENS = ['/inicio', '/goty'] as const;
/** The values of Chromium's Blink setting preferredColorScheme. */
const THEMES = { dark: '0', light: '1' } as const;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const project = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'goty-lighthouse-'));
const browserPath = await findBrowser();
if (!browserPath) throw new Error('Install Chromium or Chrome, or set CHROME_PATH.');

const goty = spawn(process.execPath, [join(project, 'scripts/start.mjs')], {
  env: { ...process.env, PORT: '0', DATABASE: join(folder, 'goty.sqlite') },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [firstLine = ''] = await once(createInterface(goty.stdout), 'line');
const origin = /http:\/\/\S+/.exec(firstLine)?.[0];
if (!origin) throw new Error(`GOTY did not start: ${firstLine}`);

const staticServer = createServer(
  express()
    .use(securityHeaders, compression())
    .use(express.static(await writeStaticPages(origin), { extensions: ['html'] })),
).listen(0);
await once(staticServer, 'listening');
const staticOrigin = `http://localhost:${portOf(staticServer)}`;

const rows: Record<string, Record<string, string | number>> = {};
for (const screen of SCREENS) {
  for (const theme of ['dark', 'light'] as const) {
    const page = await audit(`${origin}${screen}`, theme);
    const baseline = await audit(`${staticOrigin}${screen}`, theme);
    rows[`${screen} ${theme}`] = {
      ...page.scores,
      'LCP ms': Math.round(page.lcp),
      'LCP static ms': Math.round(baseline.lcp),
      ratio: (page.lcp / baseline.lcp).toFixed(2),
      CLS: page.cls.toFixed(3),
      'TBT ms': Math.round(page.tbt),
    };
  }
}
console.table(rows);

staticServer.close();
goty.kill('SIGTERM');
await once(goty, 'exit');
rmSync(folder, { recursive: true });

/** Copies the build, with the final HTML of each screen, without scripts. Returns the folder. */
async function writeStaticPages(from: string): Promise<string> {
  const copy = join(folder, 'static');
  cpSync(join(project, 'apps/web/dist'), copy, { recursive: true });
  const browser = await chromium.launch({ executablePath: browserPath ?? '', args: FLAGS });
  for (const screen of SCREENS) {
    const page = await browser.newPage();
    await page.goto(`${from}${screen}`);
    await page.locator('canvas, article').first().waitFor();
    const html = (await page.content())
      .replaceAll(/<script.*?<\/script>/gs, '')
      .replaceAll(/<link rel="(module)?preload".*?>/g, '');
    writeFileSync(join(copy, `${screen}.html`), html);
    await page.close();
  }
  await browser.close();
  return copy;
}

/** Runs Lighthouse RUNS times and returns the medians. */
async function audit(url: string, theme: keyof typeof THEMES) {
  const runs: Report[] = [];
  while (runs.length < RUNS) runs.push(await runLighthouse(url, theme));
  const median = (pick: (report: Report) => number) =>
    runs.map(pick).toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
  const score = (name: (typeof CATEGORIES)[number]) => [
    name,
    Math.round(median(({ categories }) => (categories[name]?.score ?? 0) * 100)),
  ];
  const value = (name: string) => median(({ audits }) => audits[name]?.numericValue ?? Number.NaN);
  return {
    scores: Object.fromEntries(CATEGORIES.map(score)),
    lcp: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbt: value('total-blocking-time'),
  };
}

interface Report {
  readonly categories: Record<string, { readonly score: number } | undefined>;
  readonly audits: Record<string, { readonly numericValue?: number } | undefined>;
}

/** Runs Lighthouse in a child process, since this one has to serve the static pages. */
async function runLighthouse(url: string, theme: keyof typeof THEMES): Promise<Report> {
  const file = join(folder, 'report.json');
  const flags = [
    ...FLAGS,
    '--headless=new',
    `--blink-settings=preferredColorScheme=${THEMES[theme]}`,
  ];
  const run = spawn(
    'pnpm',
    [
      'dlx',
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--chrome-flags=${flags.join(' ')}`,
    ],
    { env: { ...process.env, CHROME_PATH: browserPath }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const [code] = await once(run, 'exit');
  if (code !== 0) throw new Error(`Lighthouse failed for ${url}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
