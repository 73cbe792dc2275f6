import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COVERS_PATH, isCoverName } from '@goty/shared/cover-file';
import type { Nominee } from '@goty/shared/nominee';
import {
  COVER_SLOT,
  fillHomeSlots,
  fillSlots,
  HOME_SLOTS,
  LIVE_MARKS,
  slot,
} from '@goty/shared/page-html';
import { API_PATHS } from '@goty/shared/protocol';
import { metadata, texts } from '@goty/shared/texts';
import { build, type Manifest } from 'vite';
import { writePwaAssets } from './pwa-assets.ts';

// `pnpm build`: bundles the page, prerenders both screens to HTML, and writes the icons, the
// manifest and the link preview's image (SPEC W24). The covers are copied for Hosting: the standalone
// server has its own folder of them.

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const templates = join(dist, '.templates');
const serverBuild = join(root, '.prerender');

await build({ root });
await build({
  root,
  logLevel: 'warn',
  build: { emptyOutDir: true, manifest: false, outDir: serverBuild, ssr: 'src/prerender.tsx' },
});
const { API_BASE, prerender, prerenderCards } = await import(
  pathToFileURL(join(serverBuild, 'prerender.js')).href
);
rmSync(serverBuild, { recursive: true });

const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const built = readFileSync(join(dist, 'index.html'), 'utf8');
const script = /<script .*?<\/script>/.exec(built)?.[0] ?? '';
const shell = built.replace(script, '');
// Browsers open six connections at most: what matters most is first. Chromium runs an async script
// late unless its priority is high. The script needs the address of main to load it again.
const main = manifest['src/main.tsx'];
if (!main) throw new Error('the build has no chunk for main.tsx');
const first = [
  ...(main.css ?? []).map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
  script.replace('<script', `<script fetchpriority="high" data-main="/${main.file}"`),
];
mkdirSync(templates);
writePage('/inicio', {
  title: texts.inicio.titles.open,
  links: first,
  screen: prerender('/inicio'),
});
// What Hosting serves at paths that it does not know. Its own redirects come before files, and cannot
// tell the paths of files from others.
writeFileSync(
  join(dist, 'index.html'),
  '<!doctype html><meta http-equiv="refresh" content="0;url=/inicio"><title>GOTY</title>\n',
);
writePage('/goty', {
  title: texts.goty.title,
  // The list and the first cover are loaded together with the scripts, not after them.
  links: [
    ...first,
    `<link rel="preload" as="fetch" crossorigin href="${API_BASE}${API_PATHS.nominees}">`,
    slot(COVER_SLOT),
  ],
  screen: prerender('/goty'),
  cards: `<template>${await prerenderCards()}</template>`,
});
const covers = resolve(root, '../../covers');
if (existsSync(covers)) {
  cpSync(covers, join(dist, COVERS_PATH), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || isCoverName(basename(path)),
  });
}
writePwaAssets(join(root, 'art'), join(root, 'public/trophy.svg'), dist);

interface PageParts {
  readonly title: string;
  readonly links: readonly string[];
  readonly screen: string;
  /** A template of the screen with cards, to be shown before React has come. */
  readonly cards?: string;
}

/** Writes a page twice: complete, for Hosting, and as a template for the standalone server. */
function writePage(path: string, { title, links, screen, cards = '' }: PageParts) {
  const template = fillSlots(
    shell,
    {
      title,
      description: metadata.description,
      'image-alt': metadata.imageAlt,
      'no-script': metadata.noScript,
      late: metadata.late,
      reload: texts.states.reload,
      path,
      links: links.join('\n    '),
      screen,
      cards,
    },
    HOME_SLOTS,
  );
  writeFileSync(join(templates, `${path}.html`), template);
  const origin = process.env.VITE_ORIGIN ?? '';
  const html = fillHomeSlots(template, {
    live: LIVE_MARKS.firestore,
    firestore: '',
    origin,
    nominees: nomineesOnHosting(),
  });
  writeFileSync(join(dist, `${path}.html`), html);
}

/** Whose first cover Hosting's goty preloads: those of the deploy, else the sample nominees. */
function nomineesOnHosting(): Pick<Nominee, 'url'>[] {
  const { VITE_COVER: url } = process.env;
  if (url !== undefined) return [{ url }];
  return JSON.parse(readFileSync(join(root, '../../nominees.json'), 'utf8'));
}
