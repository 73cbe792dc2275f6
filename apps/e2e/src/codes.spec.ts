import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runProgram } from '@goty/functions/testing/program';
import { expect, test } from '../testing/goty-test.ts';
import { PUBLIC_ORIGIN, startStandalone } from '../testing/home.ts';
import { scan } from '../testing/scan.ts';

const GOTY = resolve(import.meta.dirname, '../../functions/cli/goty.ts');
const COUNT = 40;

test('O21 the sheet of codes is printed on A4, three in a row, and each can be scanned', async ({
  page,
  context,
}) => {
  const home = await startStandalone({ VOTE_POLICY: 'one-per-code', EVENT_NAME: 'Premios 2026' });
  const { environment } = home;
  try {
    const file = join(dirname(environment.DATABASE), 'codes.csv');
    const args = [GOTY, 'codes', '--make', String(COUNT), '--out', file];
    expect(await runProgram(args, environment).exit).toEqual([0, null]);
    const [, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
    const links = rows.map((row) => row.split(';')[1]);
    expect(links[0]).toMatch(new RegExp(`^${PUBLIC_ORIGIN}/goty#codigo=`));
    // A4 at 96 dots an inch, without its margins.
    await page.setViewportSize({ width: 718, height: 1_047 });
    await page.emulateMedia({ media: 'print' });
    await page.goto(pathToFileURL(file.replace('.csv', '.html')).href);
    const tickets = page.getByRole('article');
    await expect(tickets).toHaveCount(COUNT);
    const tops = await tickets.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().y),
    );
    expect(new Set(tops).size).toBe(Math.ceil(COUNT / 3));
    const isCut = await tickets.evaluateAll((all) =>
      all.some((one) => one.scrollWidth > one.clientWidth),
    );
    expect(isCut).toBe(false);
    const codes = page.getByRole('img');
    const reader = await context.newPage();
    for (const [index, link] of links.entries())
      expect(await scan(reader, codes.nth(index))).toBe(link);
  } finally {
    await home.stop();
  }
});
