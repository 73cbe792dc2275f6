import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../testing/browser.ts';
import { outcomeDialog, voteButton } from '../testing/goty-test.ts';
import { startDemo } from '../testing/home.ts';

// Makes README's moving picture: scenes of `pnpm demo`, on a phone and in a hall. Chromium records
// and encodes them: https://developers.google.com/speed/webp/docs/riff_container joins the stills.

const [FRAME_MS, WIDTH, HEIGHT] = [125, 1200, 552];
/** The left edge of the second screen, in the proportion of the two pages. Even, as WebP wants it. */
const EDGE = 2 * Math.round((WIDTH * 390) / (390 + 1280) / 2);
/** The opening, a press on the phone while the lead changes, and the result: in seconds before and after the opening. */
const SCENES = [
  [-3, 2.5],
  [68, 76],
  [134, 142],
] as const;
const PRESS_AT = 70;

const browser = await chromium.launch({
  executablePath: (await findBrowser()) ?? '',
  args: ['--no-sandbox'],
});
const films = await film('dark', 'light');
for (const [scheme, frames] of Object.entries(films)) {
  const file = resolve(import.meta.dirname, `../../../docs/goty-${scheme}.webp`);
  writeFileSync(file, await encode(frames));
}
await browser.close();

/** @returns what the phone and the hall show in each frame, for each scheme: PNG, as data URLs */
async function film(...schemes: ('dark' | 'light')[]) {
  await using home = await startDemo();
  let opensAt: number | undefined;
  while (opensAt === undefined) {
    // The server is open before the rehearsal begins.
    await sleep(100);
    ({ opensAt } = await (await fetch(`${home.address}/api/standings`)).json());
  }
  const start = opensAt;
  const timeOf = (second: number) => start + 1_000 * second;
  const until = (second: number) => sleep(timeOf(second) - Date.now());
  const sets = schemes.map(async (colorScheme) => {
    const open = async (width: number, path: string) => {
      const viewport = { width, height: 768 };
      const page = await browser.newPage({ colorScheme, locale: 'es', viewport });
      await page.goto(`${home.address}${path}`);
      return page;
    };
    const [phone, hall] = [await open(390, '/goty'), await open(1280, '/inicio#sala')];
    const painted = [];
    for (const [from, to] of SCENES) {
      await until(from - 1);
      const recordings = [await record(phone), await record(hall)];
      if (from < PRESS_AT && PRESS_AT < to) await press(phone, () => until(PRESS_AT));
      await until(to);
      for (const { stop } of recordings) await stop();
      for (let at = timeOf(from); at < timeOf(to); at += FRAME_MS) {
        painted.push(recordings.map(({ stills }) => stills.findLast((s) => s.at <= at)?.url ?? ''));
      }
    }
    return [colorScheme, painted] as const;
  });
  return Object.fromEntries(await Promise.all(sets));
}

async function press(phone: Page, whenDue: () => Promise<unknown>) {
  const button = voteButton(phone, 'Blue Prince');
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await whenDue();
  // What a finger would show.
  await button.evaluate((element) =>
    element.animate({ outlineWidth: ['9px', '0'], outlineStyle: 'solid' }, 600),
  );
  await button.click();
  await outcomeDialog(phone, 'Gracias').waitFor();
}

/** Collects what Chromium paints of a page from now on. */
async function record(page: Page) {
  const urlOf = (png: string) => `data:image/png;base64,${png}`;
  const stills = [{ at: 0, url: urlOf((await page.screenshot()).toString('base64')) }];
  const session = await page.context().newCDPSession(page);
  session.on('Page.screencastFrame', ({ data, sessionId, metadata: { timestamp = 0 } }) => {
    stills.push({ at: 1_000 * timestamp, url: urlOf(data) });
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await session.send('Page.startScreencast', { format: 'png' });
  return { stills, stop: () => session.detach() };
}

/** Stills, each with what has changed: the phone, the second screen or both. */
async function encode(film: readonly string[][]): Promise<Buffer> {
  const page = await browser.newPage();
  const stills: Buffer[] = [];
  let [left, right, shownFrom] = [0, WIDTH, 0];
  for (const [index, [phone = '', screen = '']] of film.entries()) {
    const [nextPhone, nextScreen] = film[index + 1] ?? [];
    if (phone === nextPhone && screen === nextScreen) continue;
    const webp = await draw(page, phone, screen, left, right);
    const time = (index + 1 - shownFrom) * FRAME_MS;
    const place = uint24(left / 2, 0, right - left - 1, HEIGHT - 1, time);
    // Without what is before the image itself. 2: it replaces the pixels below, without blending.
    stills.push(chunk('ANMF', place, Buffer.from([2]), webp.subarray(webp.indexOf('VP8 '))));
    [left, right] = [phone === nextPhone ? EDGE : 0, screen === nextScreen ? EDGE : WIDTH];
    shownFrom = index + 1;
  }
  const header = [Buffer.from([2, 0, 0, 0]), uint24(WIDTH - 1, HEIGHT - 1)];
  const start = [Buffer.from('WEBP'), chunk('VP8X', ...header), chunk('ANIM', Buffer.alloc(6))];
  return chunk('RIFF', ...start, ...stills);
}

/** Draws both pages side by side, and encodes the picture from left to right. */
async function draw(page: Page, phone: string, screen: string, left: number, right: number) {
  const images = [
    { src: phone, x: -left, width: EDGE - 4 },
    { src: screen, x: EDGE - left, width: WIDTH - EDGE },
  ];
  const base64 = await page.evaluate(
    async ({ images, ...size }) => {
      const canvas = Object.assign(document.createElement('canvas'), size);
      const context = canvas.getContext('2d', { alpha: false });
      for (const { src, x, width } of images) {
        const image = Object.assign(new Image(), { src });
        await image.decode();
        context?.drawImage(image, x, 0, width, size.height);
      }
      return canvas.toDataURL('image/webp', 0.7).split(',')[1] ?? '';
    },
    { images, width: right - left, height: HEIGHT },
  );
  return Buffer.from(base64, 'base64');
}

function chunk(name: string, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const head = Buffer.from(`${name}size`);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function uint24(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value & 255, (value >> 8) & 255, value >> 16]));
}
