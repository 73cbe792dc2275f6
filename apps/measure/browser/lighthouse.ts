import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../base/homes.ts';
import { median, ratiosOf, withSpread } from '../base/report.ts';
import { SCREENS } from './references.ts';
import { browserPath, compareHomes } from './visit.ts';

// `pnpm lighthouse`: runs Lighthouse (mobile) on both screens of both homes and, for comparison, on
// the same content as static HTML without scripts. Prints medians, and the extremes of ratios.

/** Beside this process, which serves the static pages. */
const run = promisify(execFile);
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const OPTIONS = [
  '--quiet',
  '--output=json',
  // Its simulation counts whatever has loaded on a fast line before the largest paint.
  '--throttling-method=devtools',
  '--chrome-flags=--no-sandbox --headless=new --disable-gpu',
];
const LCP = 'largest-contentful-paint';

interface Report {
  /** Scores from 0 to 1. */
  readonly categories: Record<string, { readonly score: number } | undefined>;
  readonly audits: Record<string, { readonly numericValue?: number } | undefined>;
}

const file = join(newFolder(), 'report.json');
await compareHomes('lighthouse', 3, SCREENS, async (screen, inTurn) => {
  const [pages = [], references = []] = await inTurn(runLighthouse, screen, screen);
  const score = (name: string) =>
    median(pages.map(({ categories }) => categories[name]?.score ?? 0));
  return {
    scores: CATEGORIES.map((name) => Math.round(100 * score(name))).join(' '),
    'LCP, ms': Math.round(median(auditsOf(pages, LCP))),
    'static page': Math.round(median(auditsOf(references, LCP))),
    'LCP ratio': withSpread(ratiosOf(auditsOf(pages, LCP), auditsOf(references, LCP))),
    'TBT, ms': Math.round(median(auditsOf(pages, 'total-blocking-time'))),
    CLS: median(auditsOf(pages, 'cumulative-layout-shift')).toFixed(3),
  };
});

function auditsOf(reports: readonly Report[], name: string): number[] {
  return reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN);
}

async function runLighthouse(url: string): Promise<Report> {
  const env = { ...process.env, CHROME_PATH: await browserPath() };
  await run('npx', ['-y', LIGHTHOUSE, url, ...OPTIONS, `--output-path=${file}`], { env });
  return JSON.parse(readFileSync(file, 'utf8'));
}
