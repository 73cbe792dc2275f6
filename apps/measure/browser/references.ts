import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { setSecurityHeaders } from '@goty/functions/security-headers';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import type { Browser } from '@playwright/test';
import compression from 'compression';
import express from 'express';
import { newFolder } from '../base/homes.ts';

// What the page is compared with, in the same run on the same machine.

export const SCREENS = ['/inicio', '/goty'] as const;
/** The bare page: HTML with a button, and one script of the size of our first JavaScript. */
export const BARE = '/bare';

const DIST = resolve(import.meta.dirname, '../../web/dist');

/**
 * Serves both screens of a home as static HTML without scripts, and the bare page.
 *
 * @param origin where the final HTML of the screens is taken from
 */
export async function startReferences(browser: Browser, origin: string) {
  const folder = newFolder();
  cpSync(DIST, folder, { recursive: true });
  for (const screen of SCREENS) {
    writeFileSync(join(folder, `${screen}.html`), await staticHtml(browser, `${origin}${screen}`));
  }
  writeFileSync(join(folder, `${BARE}.html`), BARE_HTML);
  writeFileSync(join(folder, 'bare.js'), bareScript());

  const app = express()
    .use((_request, response, next) => {
      setSecurityHeaders(response, false);
      next();
    }, compression())
    .use(express.static(folder, { extensions: ['html'] }));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function staticHtml(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator('canvas, article').first().waitFor();
  const html = await page.content();
  await page.close();
  // The late styles are at the address of the app, from where they would not be loaded.
  return html
    .replaceAll(new URL(url).origin, '')
    .replaceAll(/<script.*?<\/script>/gs, '')
    .replaceAll(/<template.*?<\/template>/gs, '')
    .replaceAll(/<link rel="(module)?preload".*?>/g, '');
}

const BARE_HTML = `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8">
    <title>bare</title>
    <script type="module" src="/bare.js"></script>
  </head>
  <body>
    <article><button>Votar</button></article>
  </body>
</html>`;

/** A press handler, and our first JavaScript as a comment: its bytes without its work. */
function bareScript(): string {
  const manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'));
  const namesOf = (name: string): string[] => [
    name,
    ...(manifest[name].imports ?? []).flatMap(namesOf),
  ];
  const names = new Set(['index.html', 'src/main.tsx'].flatMap(namesOf));
  const codes = [...names].map((name) => readFileSync(join(DIST, manifest[name].file), 'utf8'));
  return `document.querySelector('button').addEventListener('click', () =>
  fetch('${API_PREFIX}${API_PATHS.vote('any')}', { method: 'POST' }));
/*${codes.join('').replaceAll('*/', '* /')}*/`;
}
