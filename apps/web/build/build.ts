import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  COVER_SLOTS,
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
// manifest and the link preview's image (SPEC W24).

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
const { API_BASE, prerender } = await import(pathToFileURL(join(serverBuild, 'prerender.js')).href);
rmSync(serverBuild, { recursive: true });

const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const shell = readFileSync(join(dist, 'index.html'), 'utf8');
const styles = stylesheets('src/main.tsx');
mkdirSync(templates);
writePage('/inicio', { title: texts.inicio.title, links: styles, screen: prerender('/inicio') });
// What Hosting serves at paths that it does not know.
copyFileSync(join(dist, 'inicio.html'), join(dist, 'index.html'));
writePage('/goty', {
  title: texts.goty.title,
  // Preloads the screen's first request, so that it does not wait for the scripts.
  links: [
    ...styles,
    `<link rel="preload" as="fetch" crossorigin href="${API_BASE}${API_PATHS.nominees}">`,
  ],
  screen: prerender('/goty'),
  openSlots: COVER_SLOTS,
});
writePwaAssets(join(root, 'art'), join(root, 'public/trophy.svg'), dist);

interface PageParts {
  readonly title: string;
  readonly links: readonly string[];
  readonly screen: string;
  /** The slots of this page alone that the server fills. */
  readonly openSlots?: readonly string[];
}

/** Writes a page twice: complete, for Hosting, and as a template for the standalone server. */
function writePage(path: string, { title, links, screen, openSlots = [] }: PageParts) {
  const template = fillSlots(
    shell,
    {
      title,
      description: metadata.description,
      'no-script': metadata.noScript,
      late: metadata.late,
      reload: texts.states.reload,
      path,
      links: links.join('\n    '),
      screen,
    },
    HOME_SLOTS,
  );
  const missing = openSlots.find((name) => !template.includes(slot(name)));
  if (missing !== undefined) throw new Error(`${path} has no slot ${slot(missing)}`);
  writeFileSync(join(templates, `${path}.html`), template);
  const origin = process.env.VITE_ORIGIN ?? '';
  const html = fillHomeSlots(template, {
    live: LIVE_MARKS.firestore,
    firestore: '',
    origin,
    covers: [],
  });
  writeFileSync(join(dist, `${path}.html`), html);
}

/** Returns `<link>` tags for the styles of an entry. The script would load them too late. */
function stylesheets(source: string): string[] {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`the build has no chunk for ${source}`);
  return chunk.css?.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`) ?? [];
}
