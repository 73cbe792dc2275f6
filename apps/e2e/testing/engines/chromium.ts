import { chromium, type LaunchOptions } from '@playwright/test';
import type { Driver } from './driver.ts';

export async function launchChromium(options: LaunchOptions): Promise<Driver> {
  const browser = await chromium.launch({
    ...options,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return {
    async navigate(url) {
      await page.goto(url, { waitUntil: 'commit' });
    },
    evaluate: (expression) => page.evaluate(expression),
    resize: (width, height) => page.setViewportSize({ width, height }),
    setLook: ({ theme, isStill }) =>
      page.emulateMedia({
        colorScheme: theme,
        reducedMotion: isStill ? 'reduce' : 'no-preference',
      }),
    click: (x, y) => page.mouse.click(x, y),
    press: (key) => page.keyboard.press(key),
    screenshot: () => page.screenshot(),
    print: () => page.pdf({ printBackground: true }),
    takeErrors: async () => errors.splice(0),
    close: () => browser.close(),
  };
}
