import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Nominee } from '@goty/shared/nominee';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../testing/browser.ts';
import { chart, outcomeDialog, voteButton } from '../testing/goty-test.ts';
import { startStandalone } from '../testing/home.ts';

// Makes README's moving picture: a press on a phone moves the chart on a second screen. Chromium records
// and encodes it: https://developers.google.com/speed/webp/docs/riff_container joins the stills.

const [FRAMES, FRAME_MS, WIDTH, HEIGHT] = [80, 125, 1200, 552];
/** The left edge of the second screen, in the proportion of the two pages. Even, as WebP wants it. */
const EDGE = 2 * Math.round((WIDTH * 390) / (390 + 1280) / 2);
/** The votes before the film, in the order of the chart: one more, and Hades II leads. */
const BEFORE = [5, 12, 4, 3, 12, 10, 6, 2];
/** The votes of others that follow. */
const AFTER = ['blue-prince', 'split-fiction', 'clair-obscur', 'split-fiction', 'hades-2'];

const browser = await chromium.launch({
  executablePath: (await findBrowser()) ?? '',
  args: ['--no-sandbox'],
});
for (const scheme of ['dark', 'light'] as const) {
  const file = resolve(import.meta.dirname, `../../../docs/goty-${scheme}.webp`);
  writeFileSync(file, await encode(await film(scheme)));
}
await browser.close();

/** @returns what the phone and the second screen show in each frame: PNG, as data URLs */
async function film(colorScheme: 'dark' | 'light') {
  await using home = await startStandalone();
  const vote = (id: string) => fetch(`${home.address}/api/goty/${id}`, { method: 'POST' });
  const list: Nominee[] = await (await fetch(`${home.address}/api/goty`)).json();
  // Each minute begins with another.
  const nominees = list.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const [index, { id }] of nominees.entries()) {
    for (let votes = 0; votes < (BEFORE[index] ?? 0); votes += 1) await vote(id);
  }
  const open = (width: number) =>
    browser.newPage({ colorScheme, locale: 'es', viewport: { width, height: 768 } });
  const [phone, screen] = [await open(390), await open(1280)];
  await Promise.all([phone.goto(`${home.address}/goty`), screen.goto(`${home.address}/inicio`)]);
  const button = voteButton(phone, 'Hades II');
  await button.evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await chart(screen).waitFor();
  await sleep(1_000);
  const recordings = [await record(phone), await record(screen)];
  const start = Date.now();
  await sleep(1_500);
  // What a finger would show.
  await button.evaluate((element) =>
    element.animate({ outlineWidth: ['9px', '0'], outlineStyle: 'solid' }, 600),
  );
  await button.click();
  await outcomeDialog(phone, 'Gracias').waitFor();
  await sleep(2_500);
  for (const id of AFTER) await Promise.all([vote(id), sleep(800)]);
  await sleep(start + FRAMES * FRAME_MS - Date.now());
  return Array.from({ length: FRAMES }, (_, index) =>
    recordings.map((all) => all.findLast(({ at }) => at <= start + index * FRAME_MS)?.url ?? ''),
  );
}

/** Collects what Chromium paints of a page from now on. */
async function record(page: Page) {
  const urlOf = (png: string) => `data:image/png;base64,${png}`;
  const painted = [{ at: 0, url: urlOf((await page.screenshot()).toString('base64')) }];
  const session = await page.context().newCDPSession(page);
  session.on('Page.screencastFrame', ({ data, sessionId, metadata: { timestamp = 0 } }) => {
    painted.push({ at: 1_000 * timestamp, url: urlOf(data) });
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await session.send('Page.startScreencast', { format: 'png' });
  return painted;
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
