import type { BrowserContext, Locator } from '@playwright/test';
import decodeQR from 'qr/decode.js';

/** What a phone reads in a picture of a QR code. */
export async function scan(context: BrowserContext, code: Locator): Promise<string> {
  const url = `data:image/png;base64,${(await code.screenshot()).toString('base64')}`;
  const reader = await context.newPage();
  const { data, ...size } = await reader.evaluate(async (src) => {
    const image = Object.assign(new Image(), { src });
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const pixels = canvas.getContext('2d');
    pixels?.drawImage(image, 0, 0);
    const data = [...(pixels?.getImageData(0, 0, width, height).data ?? [])];
    return { width, height, data };
  }, url);
  await reader.close();
  return decodeQR({ ...size, data: new Uint8ClampedArray(data) });
}
