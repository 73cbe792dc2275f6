import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../base/folder.ts';
import { median } from '../base/statistics.ts';
import { CHART, SCREENS } from './references.ts';
import { browserPath, compareHomes } from './visit.ts';

// `pnpm lighthouse`: runs Lighthouse (mobile) on both screens of both homes and, for comparison, on
// the same content as static HTML without scripts, and the chart by Chart.js alone. Prints medians.

/** Beside this process, which serves the static pages. */
const run = promisify(execFile);
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const CHROME_FLAGS = '--chrome-flags=--no-sandbox --headless=new --disable-gpu';
const LCP = 'largest-contentful-paint';
const TBT = 'total-blocking-time';

interface Report {
  /** Scores from 0 to 1. */
  readonly categories: Record<string, { readonly score: number } | undefined>;
  readonly audits: Record<string, { readonly numericValue?: number } | undefined>;
}

const folder = newFolder();
await run('pnpm', ['add', '--dir', folder, '--ignore-workspace', '--silent', LIGHTHOUSE]);
await compareHomes(3, SCREENS, async (screen, inTurn) => {
  const [pages, references] = await inTurn([screen, screen], runLighthouse);
  const score = (name: string) => pages.map(({ categories }) => categories[name]?.score ?? 0);
  const [, charts] = await inTurn([screen, CHART], runLighthouse);
  const [lcp, staticLcp] = [auditOf(pages, LCP), auditOf(references, LCP)];
  return {
    ...Object.fromEntries(CATEGORIES.map((name) => [name, Math.round(100 * median(score(name)))])),
    'FCP ms': Math.round(auditOf(pages, 'first-contentful-paint')),
    'LCP ms': Math.round(lcp),
    'static LCP ms': Math.round(staticLcp),
    'LCP ratio': (lcp / staticLcp).toFixed(2),
    'TBT ms': Math.round(auditOf(pages, TBT)),
    'chart TBT ms': Math.round(auditOf(charts, TBT)),
    CLS: auditOf(pages, 'cumulative-layout-shift').toFixed(3),
  };
});

function auditOf(reports: readonly Report[], name: string): number {
  return median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
}

async function runLighthouse(url: string): Promise<Report> {
  const file = join(folder, 'report.json');
  await run(
    join(folder, 'node_modules/.bin/lighthouse'),
    [url, '--quiet', '--output=json', `--output-path=${file}`, CHROME_FLAGS],
    { env: { ...process.env, CHROME_PATH: await browserPath() } },
  );
  return JSON.parse(readFileSync(file, 'utf8'));
}
