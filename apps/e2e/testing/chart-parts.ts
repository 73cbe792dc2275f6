import { resultTexts } from '@goty/shared/result-texts';
import type { Locator, Page } from '@playwright/test';
import { chart } from './goty-test.ts';

export function legendEntry(page: Page, game: string): Locator {
  const legend = page.getByRole('list', { name: resultTexts.legendLabel });
  return legend.getByRole('listitem').filter({ hasText: game });
}

export function shownRows(page: Page, first: string, last: string, total: string): Locator {
  return page.getByText(resultTexts.shown(first, last, total));
}

/** Counts the chart's pixels of a colour, which may be any that CSS knows or a variable. */
export function countPixels(page: Page, color: string): Promise<number> {
  return chart(page).evaluate((canvas: HTMLCanvasElement, value) => {
    const probe = document.createElement('div');
    probe.style.color = value;
    probe.style.forcedColorAdjust = 'none';
    document.body.append(probe);
    const [red = 0, green = 0, blue = 0] =
      getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? [];
    probe.remove();
    // Opaque, in the byte order of all common processors.
    const wanted = ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
    const image = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
    return new Uint32Array(image?.data.buffer ?? []).filter((pixel) => pixel === wanted).length;
  }, color);
}
