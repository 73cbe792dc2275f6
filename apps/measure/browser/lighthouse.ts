import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newFolder } from '../base/folder.ts';
import type { Row } from '../base/report.ts';
import { interleave, median } from '../base/statistics.ts';
import { BROWSER_FLAGS, browserPath, compareHomes, HOME_OPTION, ratio } from './compare.ts';
import { SCREENS } from './references.ts';

// `pnpm lighthouse`: runs Lighthouse (mobile) on both screens of both homes and, for comparison, on
// the same content as static HTML without scripts. Prints a table of medians, and below it the audits
// that are not passed. `--keep FOLDER` keeps the reports.

const { home, keep, rounds } = parseArgs({
  options: {
    home: HOME_OPTION,
    keep: { type: 'string' },
    rounds: { type: 'string', default: '3' },
  },
}).values;

const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Report {
  readonly categories: Record<string, Category | undefined>;
  readonly audits: Record<string, Audit | undefined>;
}

interface Category {
  readonly score: number;
  readonly auditRefs: readonly { readonly id: string }[];
}

interface Audit {
  /** From 0 to 1; `null` if it does not apply or only informs. */
  readonly score: number | null;
  readonly numericValue?: number;
  readonly displayValue?: string;
}

const folder = newFolder();
const reports = keep ?? folder;
mkdirSync(reports, { recursive: true });
await run('pnpm', ['add', '--dir', folder, '--ignore-workspace', '--silent', LIGHTHOUSE]);
const rows: Record<string, Row> = {};
const failures: string[] = [];
await compareHomes(home, async ({ home: name, app, references }) => {
  for (const screen of SCREENS) {
    const title = `${name}, ${screen.slice(1)}`;
    const file = title.replaceAll(/\W+/g, '-');
    const pairs = await interleave(
      Number(rounds),
      () => runLighthouse(`${app}${screen}`, file),
      () => runLighthouse(`${references}${screen}`, `${file}-static`),
    );
    const page = pairs.map(([report]) => report);
    rows[title] = summarize(
      page,
      pairs.map(([, report]) => report),
    );
    failures.push(...notPassed(page).map((audit) => `${title}: ${audit}`));
  }
});
console.table(rows);
console.log(failures.join('\n'));

function summarize(page: readonly Report[], reference: readonly Report[]) {
  const score = (name: string) => [
    name,
    median(page.map(({ categories }) => Math.round((categories[name]?.score ?? 0) * 100))),
  ];
  const value = (reports: readonly Report[], name: string) =>
    median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
  const ms = (reports: readonly Report[], name: string) => Math.round(value(reports, name));
  const lcp = 'largest-contentful-paint';
  return {
    ...Object.fromEntries(CATEGORIES.map(score)),
    'FCP ms': ms(page, 'first-contentful-paint'),
    'LCP ms': ms(page, lcp),
    'static LCP ms': ms(reference, lcp),
    'LCP ratio': ratio(value(page, lcp), value(reference, lcp)),
    'TBT ms': ms(page, 'total-blocking-time'),
    CLS: value(page, 'cumulative-layout-shift').toFixed(3),
  };
}

/** Returns the audits below the full score, with the score in each round. */
function notPassed(reports: readonly Report[]): string[] {
  const { categories, audits } = reports[0] ?? { categories: {}, audits: {} };
  const ids = new Set(
    CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []).map(({ id }) => id),
  );
  return [...ids]
    .map((id) => ({ id, scores: reports.map((report) => report.audits[id]?.score ?? 1) }))
    .filter(({ scores }) => scores.some((score) => score < 1))
    .map(({ id, scores }) => `${id} ${scores.join(' ')} ${audits[id]?.displayValue ?? ''}`);
}

async function runLighthouse(url: string, name: string): Promise<Report> {
  const file = join(reports, `${name}-${randomUUID()}.json`);
  const flags = [...BROWSER_FLAGS, '--headless=new', '--disable-gpu'].join(' ');
  await run(
    join(folder, 'node_modules/.bin/lighthouse'),
    [url, '--quiet', '--output=json', `--output-path=${file}`, `--chrome-flags=${flags}`],
    { ...process.env, CHROME_PATH: await browserPath() },
  );
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Runs a command beside this process, which has to serve the static pages. */
async function run(command: string, args: readonly string[], env = process.env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args[0]} failed`);
}
