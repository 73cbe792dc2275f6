import { resultTexts } from '@goty/shared/result-texts';
import type { Locator, Page } from '@playwright/test';
import { chart } from './goty-test.ts';

/** The entry of a game in the legend. */
export function legendEntry(page: Page, game: string): Locator {
  const legend = page.getByRole('list', { name: resultTexts.legendLabel });
  return legend.getByRole('button', { name: game });
}

/** Counts the chart's pixels of a colour, which may be any that CSS knows or a variable. */
export function countPixels(page: Page, color: string): Promise<number> {
  return chart(page).evaluate((canvas: HTMLCanvasElement, value) => {
    const probe = document.createElement('div');
    probe.style.color = value;
    probe.style.forcedColorAdjust = 'none';
    document.body.append(probe);
    const [red, green, blue] = getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? [];
    probe.remove();
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {
      data: new Uint8ClampedArray(),
    };
    let count = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) {
        if (data[at + 3] === 255) count += 1;
      }
    }
    return count;
  }, color);
}

/** The chart as it is drawn, to compare. */
export function picture(page: Page): Promise<string> {
  return chart(page).evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
}
