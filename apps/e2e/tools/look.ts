import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENGINES } from '../testing/engines/engines.ts';
import { startVisits } from '../testing/engines/visit.ts';

// `pnpm look ENGINE`: pictures of both screens in an engine, at three sizes and in both themes.

const SIZES = { phone: [390, 844], desktop: [1280, 800], hall: [1920, 1080] } as const;
const THEMES = ['dark', 'light'] as const;
/** Long enough for covers and chart to come, and for everything to be still. */
const REST_MS = 2_000;

const [, , wanted = ''] = process.argv;
const engine = ENGINES.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
if (engine === undefined) throw new Error(`Name one of ${ENGINES.map(({ name }) => name).join()}.`);
const { name, launch, packages } = engine;
if (!launch) throw new Error(`${name} is not installed: ${packages}`);

const folder = resolve(import.meta.dirname, '../.artifacts/look', name.toLowerCase());
mkdirSync(folder, { recursive: true });
const launching = launch();
const visits = await startVisits(launching);
{
  await using visit = await visits.visit();
  const { page } = visit;
  for (const theme of THEMES) {
    await page.setLook({ theme, isStill: true });
    for (const [size, [width, height]] of Object.entries(SIZES)) {
      await page.resize(width, height);
      for (const screen of size === 'hall' ? ['inicio#sala'] : ['inicio', 'goty']) {
        await page.open(`/${screen}`);
        await sleep(REST_MS);
        const path = join(folder, `${screen.replace('#', '-')}-${size}-${theme}.png`);
        writeFileSync(path, await page.screenshot());
        console.log(path);
      }
    }
  }
}
await visits.end();
await (await launching).close();
