import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LANGUAGE } from '@goty/shared/protocol';
import { chromium, type Page } from '@playwright/test';
import { findBrowser } from '../testing/browser.ts';
import { outcomeDialog, voteButton } from '../testing/goty-test.ts';
import { startDemo } from '../testing/home.ts';

// Makes README's moving picture: scenes of `pnpm demo`, on a phone and in a hall. Chromium records
// and encodes them: https://developers.google.com/speed/webp/docs/riff_container joins the stills.

const FRAME_MS = 160;
const WIDTH = 1200;
const HEIGHT = 552;
/** For files of about 1 MB: README loads one of them, also on a phone. */
const QUALITY = 0.5;
/** The left edge of the second screen, in the proportion of the two pages. */
const EDGE = Math.round((WIDTH * 390) / (390 + 1280));
/** The opening, a press on the phone while the lead changes, and the result: in seconds before and after the opening. */
const SCENES = [
  [-3, 2.5],
  [68, 76],
  [134, 142],
] as const;
const PRESS_AT = 70;

const browser = await chromium.launch({
  ...(await findBrowser()),
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
      const page = await browser.newPage({ colorScheme, locale: LANGUAGE, viewport });
      await page.goto(`${home.address}${path}`);
      return page;
    };
    const phone = await open(390, '/goty');
    const hall = await open(1280, '/inicio#sala');
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

/** Stills, each with the part of the picture that has changed. */
async function encode(film: readonly string[][]): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
  await page.setContent('<canvas>');
  const stills: { place: Buffer; ms: number; image: Buffer }[] = [];
  for (const [phone = '', screen = ''] of film) {
    const part = await draw(page, phone, screen);
    const last = stills.at(-1);
    if (part === undefined && last) last.ms += FRAME_MS;
    if (part === undefined) continue;
    const { x, y, width, height, base64 } = part;
    const webp = Buffer.from(base64, 'base64');
    stills.push({
      place: uint24(x / 2, y / 2, width - 1, height - 1),
      ms: FRAME_MS,
      // Without what is before the image itself.
      image: webp.subarray(webp.indexOf('VP8 ')),
    });
  }
  await page.close();
  const header = [Buffer.from([2, 0, 0, 0]), uint24(WIDTH - 1, HEIGHT - 1)];
  const start = [Buffer.from('WEBP'), chunk('VP8X', ...header), chunk('ANIM', Buffer.alloc(6))];
  const frames = stills.map(({ place, ms, image }) =>
    // 2: it replaces the pixels below, without blending.
    chunk('ANMF', place, uint24(ms), Buffer.from([2]), image),
  );
  return chunk('RIFF', ...start, ...frames);
}

/** Draws both pages side by side. Returns the part that this has changed, `undefined` if it has changed nothing. */
async function draw(page: Page, phone: string, screen: string) {
  const images = [
    { src: phone, x: 0, width: EDGE - 4 },
    { src: screen, x: EDGE, width: WIDTH - EDGE },
  ];
  return page.evaluate(
    async ({ images, quality, ...size }) => {
      const canvas = document.querySelector('canvas') ?? document.createElement('canvas');
      const isFirst = canvas.width !== size.width;
      if (isFirst) Object.assign(canvas, size);
      const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
      if (!context) return undefined;
      const read = () =>
        new Uint32Array(context.getImageData(0, 0, size.width, size.height).data.buffer);
      const before = read();
      for (const { src, x, width } of images) {
        const image = Object.assign(new Image(), { src });
        await image.decode();
        context.drawImage(image, x, 0, width, size.height);
      }
      const after = read();
      let [left, top, right, bottom] = isFirst
        ? [0, 0, size.width, size.height]
        : [size.width, size.height, 0, 0];
      for (const [at, pixel] of after.entries()) {
        if (pixel === before[at]) continue;
        const x = at % size.width;
        const y = Math.floor(at / size.width);
        [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
        [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
      }
      if (right === 0) return undefined;
      // WebP wants even edges.
      const x = left - (left % 2);
      const y = top - (top % 2);
      const part = Object.assign(document.createElement('canvas'), {
        width: right - x,
        height: bottom - y,
      });
      part.getContext('2d', { alpha: false })?.drawImage(canvas, -x, -y);
      const base64 = part.toDataURL('image/webp', quality).split(',')[1] ?? '';
      return { x, y, width: part.width, height: part.height, base64 };
    },
    { images, quality: QUALITY, width: WIDTH, height: HEIGHT },
  );
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
