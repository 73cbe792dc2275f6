import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../base/folder.ts';
import type { Row } from '../base/report.ts';
import { interleave, median } from '../base/statistics.ts';
import { SCREENS } from './references.ts';
import { BROWSER_FLAGS, browserPath, compareHomes } from './visit.ts';

// `pnpm lighthouse`: runs Lighthouse (mobile) on both screens of both homes and, for comparison, on
// the same content as static HTML without scripts. Prints medians.

/** Beside this process, which serves the static pages. */
const run = promisify(execFile);
const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const LCP = 'largest-contentful-paint';

interface Report {
  /** Scores from 0 to 1. */
  readonly categories: Record<string, { readonly score: number } | undefined>;
  readonly audits: Record<string, { readonly numericValue?: number } | undefined>;
}

const folder = newFolder();
await run('pnpm', ['add', '--dir', folder, '--ignore-workspace', '--silent', LIGHTHOUSE]);
await compareHomes(3, async ({ home, app, references, rounds }) => {
  const rows: Record<string, Row> = {};
  for (const screen of SCREENS) {
    const pairs = await interleave(
      rounds,
      () => runLighthouse(`${app}${screen}`),
      () => runLighthouse(`${references}${screen}`),
    );
    const pages = pairs.map(([page]) => page);
    const score = (name: string) => pages.map(({ categories }) => categories[name]?.score ?? 0);
    const lcp = auditOf(pages, LCP);
    const staticLcp = auditOf(
      pairs.map(([, reference]) => reference),
      LCP,
    );
    rows[`${home}, ${screen}`] = {
      ...Object.fromEntries(
        CATEGORIES.map((name) => [name, Math.round(100 * median(score(name)))]),
      ),
      'FCP ms': Math.round(auditOf(pages, 'first-contentful-paint')),
      'LCP ms': Math.round(lcp),
      'static LCP ms': Math.round(staticLcp),
      'LCP ratio': (lcp / staticLcp).toFixed(2),
      'TBT ms': Math.round(auditOf(pages, 'total-blocking-time')),
      CLS: auditOf(pages, 'cumulative-layout-shift').toFixed(3),
    };
  }
  return rows;
});

function auditOf(reports: readonly Report[], name: string): number {
  return median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
}

async function runLighthouse(url: string): Promise<Report> {
  const file = join(folder, 'report.json');
  const flags = [...BROWSER_FLAGS, '--headless=new', '--disable-gpu'].join(' ');
  await run(
    join(folder, 'node_modules/.bin/lighthouse'),
    [url, '--quiet', '--output=json', `--output-path=${file}`, `--chrome-flags=${flags}`],
    { env: { ...process.env, CHROME_PATH: await browserPath() } },
  );
  return JSON.parse(readFileSync(file, 'utf8'));
}
