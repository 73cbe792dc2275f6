import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../base/homes.ts';
import { median, ratiosOf, withSpread } from '../base/report.ts';
import { SCREENS } from './references.ts';
import { compareHomes, findInstalledBrowser } from './visit.ts';

// `pnpm lighthouse`: runs Lighthouse (mobile) on both screens of both homes and, for comparison, on
// the same content as static HTML without scripts. Prints medians, and the extremes of ratios.

const LIGHTHOUSE = 'lighthouse@13.5.0';
/** A run takes some 25 s, and twelve of them five minutes with the start of a home. What takes so much longer hangs. */
const LIMIT_MS = 60_000;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const OPTIONS = [
  '--output=json',
  // A page that is not still by then is told by a warning: inicio in the cloud never is, because it listens. After 10 s
  // the blocking time would not be known: for that, 5 s have to be quiet.
  '--max-wait-for-load=15000',
  // Its simulation counts whatever has loaded on a fast line before the largest paint.
  '--throttling-method=devtools',
  '--chrome-flags=--no-sandbox --headless=new --disable-gpu',
];
const LCP = 'largest-contentful-paint';

interface Report {
  /** Scores from 0 to 1. */
  readonly categories: Record<string, { readonly score: number } | undefined>;
  readonly audits: Record<string, { readonly numericValue?: number } | undefined>;
  readonly runWarnings: readonly string[];
}

const folder = newFolder();
const file = join(folder, 'report.json');
// Once for all runs: `npx` would look for it each time.
await run('The download of Lighthouse', 'npm', ['install', '--prefix', folder, LIGHTHOUSE]);
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
  const { executablePath, env } = await findInstalledBrowser();
  const program = join(folder, 'node_modules/lighthouse/cli/index.js');
  const what = `Lighthouse of ${url}`;
  await run(what, process.execPath, [program, url, ...OPTIONS, `--output-path=${file}`], {
    ...env,
    CHROME_PATH: executablePath,
  });
  const report: Report = JSON.parse(readFileSync(file, 'utf8'));
  for (const warning of report.runWarnings) console.warn(`${what}: ${warning}`);
  return report;
}

/**
 * Runs a program beside this process, which serves the static pages.
 *
 * @throws Error that says what failed or hung, and at which step: Lighthouse tells each. By SIGINT it ends its browser, too
 */
async function run(what: string, program: string, args: readonly string[], env = process.env) {
  const child = execFile(program, args, { env, timeout: LIMIT_MS, killSignal: 'SIGINT' });
  let step = '';
  child.stderr?.on('data', (text) => {
    step = String(text).trim() || step;
  });
  const [code] = await once(child, 'exit');
  if (code === 0) return;
  const verb = child.killed ? `has not ended within ${LIMIT_MS / 1_000} s` : 'failed';
  throw new Error(`${what} ${verb}, at: ${step.split('\n').at(-1)}`);
}
