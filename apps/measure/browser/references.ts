import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { portOf } from '@goty/functions/http-server';
import { securityHeaders } from '@goty/functions/security-headers';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import type { Browser } from '@playwright/test';
import compression from 'compression';
import express from 'express';
import { newFolder } from '../base/folder.ts';

// What the page is compared with, in the same run on the same machine.

export const SCREENS = ['/inicio', '/goty'] as const;
/** The bare page: HTML with a button, and one script of the size of our first JavaScript. */
export const BARE = '/bare';

const DIST = resolve(import.meta.dirname, '../../web/dist');

export interface References extends AsyncDisposable {
  readonly address: string;
}

/**
 * Serves both screens of a home as static HTML without scripts, and the bare page.
 *
 * @param origin where the final HTML of the screens is taken from
 */
export async function startReferences(browser: Browser, origin: string): Promise<References> {
  const folder = newFolder();
  cpSync(DIST, folder, { recursive: true });
  for (const screen of SCREENS) {
    writeFileSync(join(folder, `${screen}.html`), await staticHtml(browser, `${origin}${screen}`));
  }
  writeFileSync(join(folder, `${BARE}.html`), BARE_HTML);
  writeFileSync(join(folder, 'bare.js'), bareScript());

  const app = express()
    .use(securityHeaders, compression())
    .use(express.static(folder, { extensions: ['html'] }));
  const server = createServer(app).listen(0);
  await once(server, 'listening');
  return {
    address: `http://localhost:${portOf(server)}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function staticHtml(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.locator('canvas, article').first().waitFor();
  const html = await page.content();
  await page.close();
  return html
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
  const files = new Set<string>();
  const add = (name: string) => {
    files.add(manifest[name].file);
    for (const imported of manifest[name].imports ?? []) add(imported);
  };
  for (const name of ['index.html', 'src/main.tsx']) add(name);
  const bytes = [...files].map((file) => readFileSync(join(DIST, file), 'utf8')).join('');
  return `document.querySelector('button').addEventListener('click', () =>
  fetch('${API_PREFIX}${API_PATHS.vote('any')}', { method: 'POST' }));
/*${bytes.replaceAll('*/', '* /')}*/`;
}
