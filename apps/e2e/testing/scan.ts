import type { Locator, Page } from '@playwright/test';
import decodeQR from 'qr/decode.js';

/** What a phone reads in a picture of a QR code. The picture is decoded in `reader`, an empty page. */
export async function scan(reader: Page, code: Locator): Promise<string> {
  const url = `data:image/png;base64,${(await code.screenshot()).toString('base64')}`;
  const { cells, ...size } = await reader.evaluate(async (src) => {
    const image = Object.assign(new Image(), { src });
    await image.decode();
    const { width, height } = image;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const pixels = canvas.getContext('2d');
    pixels?.drawImage(image, 0, 0);
    const { data = [] } = pixels?.getImageData(0, 0, width, height) ?? {};
    // A character for each pixel: as an array of its four numbers it would take seconds on its way.
    let cells = '';
    for (let at = 0; at < data.length; at += 4) cells += (data[at] ?? 0) < 128 ? 'x' : ' ';
    return { width, height, cells };
  }, url);
  const data = new Uint8ClampedArray(
    [...cells].flatMap((cell) => Array(4).fill(cell === 'x' ? 0 : 255)),
  );
  return decodeQR({ ...size, data });
}
