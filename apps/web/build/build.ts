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
import { appTexts } from '@goty/shared/app-texts';
import { COVERS_PATH, isCoverName, type Nominee } from '@goty/shared/nominee';
import { COVER_SLOT, fillHomeSlots, fillSlots, slot } from '@goty/shared/page-html';
import { API_PATHS, LANGUAGE, SITE_NAME } from '@goty/shared/protocol';
import { APP_NAME, metadata, PREVIEW_TITLE, texts } from '@goty/shared/texts';
import { build, type Manifest, type ManifestChunk } from 'vite';
import { drawLinkPreview } from './link-preview.ts';
import { digestSources, SOURCES_FILE } from './sources.ts';
import { tokenOf } from './tokens.ts';

// `pnpm build`: bundles the page, prerenders both screens to HTML, and writes the manifest and the image of the link preview
// (SPEC W24). The covers are copied for Hosting only: the standalone server has a folder of its own for them.

const sources = digestSources();
const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const templates = join(dist, '.templates');
const serverBuild = join(root, '.prerender');
const samples: Pick<Nominee, 'url'>[] = JSON.parse(
  readFileSync(join(root, '../../nominees.json'), 'utf8'),
);
const { VITE_COVER = samples[0]?.url, VITE_ORIGIN = '' } = process.env;
const { VITE_EVENT_NAME = '', VITE_EVENT_COLOR = '' } = process.env;

await build({ root });
await build({
  root,
  logLevel: 'warn',
  build: { emptyOutDir: true, manifest: false, outDir: serverBuild, ssr: 'src/prerender.tsx' },
});
const { API_BASE, AS_PRELOADED, prerender, prerenderCards } = await import(
  pathToFileURL(join(serverBuild, 'prerender.js')).href
);
rmSync(serverBuild, { recursive: true });

const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const built = readFileSync(join(dist, 'index.html'), 'utf8');
const script = /<script .*?<\/script>/.exec(built)?.[0] ?? '';
const shell = built.replace(script, '');
// What matters most comes first, because browsers open six connections at most. Chromium runs an async script late unless its
// priority is high.
const first = [
  ...withImports('src/main.tsx')
    .flatMap(({ css = [] }) => css)
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
  script.replace('<script', '<script fetchpriority="high"'),
];
mkdirSync(templates);
const headlinePreloads = withImports('src/inicio/first-headline.ts')
  .filter(({ file }) => !built.includes(file))
  .map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`);
// The HTML has no `:target` before all of it is parsed. A browser that painted it earlier would show inicio to those who open the
// stage, so this link keeps Chromium from painting.
const renderBlockingLink = '<link rel="expect" blocking="render" href="#late">';
writePage('/inicio', API_PATHS.standings, [renderBlockingLink, ...headlinePreloads], {
  title: PREVIEW_TITLE,
  // What the stage shows until its script is there. The overlay shows nothing until then (global.css).
  stage: `<p id="sala">${texts.inicio.status.loading}</p><i id="directo"></i>`,
  cards: '',
});
// The HTML that Hosting serves at paths that it does not know, and the standalone server at paths with a '%23'. Redirects of
// Hosting would not do: they come before files, and cannot tell the paths of files from others.
writeFileSync(
  join(dist, 'index.html'),
  `<!doctype html><title>${SITE_NAME}</title><script src="/find-screen.js"></script>
<noscript><meta http-equiv="refresh" content="0;url=/inicio"></noscript>\n`,
);
// The standalone server fills COVER_SLOT with a link that preloads the first cover, so that the cover loads together with the
// scripts, not after them. first-cards.ts fills the template, and shows its cards before React has loaded.
const cards = `<template>${prerenderCards()}</template>`;
writePage('/goty', API_PATHS.nominees, [slot(COVER_SLOT)], {
  title: texts.goty.title,
  stage: '',
  cards,
});
const covers = resolve(root, '../../covers');
if (existsSync(covers)) {
  cpSync(covers, join(dist, COVERS_PATH), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || isCoverName(basename(path)),
  });
}
// A deploy passes on only the first cover of its vote. If this is the first cover of nominees.json, the vote is taken to have the
// nominees of that file, and the link preview shows their covers.
const previewed = samples[0]?.url === VITE_COVER ? samples : [];
const preview = previewed.map(({ url }) => join(covers, basename(url)));
writeFileSync(join(dist, 'social.jpg'), drawLinkPreview(preview));
writeFileSync(join(dist, 'manifest.webmanifest'), JSON.stringify(webManifest()));
writeFileSync(SOURCES_FILE, sources);

function webManifest() {
  const icon = (size: number) => ({
    src: `/icon-${size}.png`,
    type: 'image/png',
    sizes: `${size}x${size}`,
    purpose: 'any maskable',
  });
  return {
    name: APP_NAME,
    short_name: appTexts.title,
    description: metadata.description,
    lang: LANGUAGE,
    start_url: '/inicio',
    display: 'standalone',
    background_color: tokenOf('night'),
    theme_color: tokenOf('night'),
    icons: [icon(192), icon(512)],
  };
}

function withImports(name: string): ManifestChunk[] {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the build has no chunk of ${name}`);
  return [chunk, ...(chunk.imports ?? []).flatMap(withImports)];
}

/** @param api the path of the API's answer that the page needs first: the HTML preloads the answer */
function writePage(path: string, api: string, ownLinks: string[], parts: Record<string, string>) {
  const cors = AS_PRELOADED.mode === 'no-cors' ? '' : ' crossorigin';
  const data = `<link rel="preload" as="fetch"${cors} href="${API_BASE}${api}">`;
  const links = [...first, data, ...ownLinks].join('\n    ');
  const { reload } = appTexts;
  const colors = { night: tokenOf('night'), day: tokenOf('day') };
  const values = { ...parts, ...metadata, ...colors, reload, path, links, screen: prerender(path) };
  const template = fillSlots(shell, values);
  writeFileSync(join(templates, `${path}.html`), template);
  // No cover is preloaded here, because each minute another one is first. The page finds it in the list.
  const home = {
    live: 'firestore' as const,
    origin: VITE_ORIGIN,
    nominees: [],
    eventName: VITE_EVENT_NAME.trim() || undefined,
    eventColor: VITE_EVENT_COLOR.trim(),
  };
  writeFileSync(join(dist, `${path}.html`), fillHomeSlots(template, home));
}
