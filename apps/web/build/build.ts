import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { texts } from '@goty/shared/texts';
import { build, type Manifest } from 'vite';
import { writeInstallable } from './installable.ts';

// `pnpm build`: the page's files, both screens as HTML that shows something before any script has
// come, and what an installed or shared page needs.

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const serverBuild = join(root, '.prerender');

await build({ root });
await build({
  root,
  logLevel: 'warn',
  build: { emptyOutDir: true, manifest: false, outDir: serverBuild, ssr: 'src/prerender.tsx' },
});
const { prerender } = await import(pathToFileURL(join(serverBuild, 'prerender.js')).href);
rmSync(serverBuild, { recursive: true });

const manifest: Manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
const shell = readFileSync(join(dist, 'index.html'), 'utf8').replace(
  '</head>',
  () => `  ${stylesheets('src/main.tsx').join('\n    ')}\n  </head>`,
);
writeFileSync(join(dist, 'index.html'), shell);
writeScreen('/inicio', texts.inicio.title, []);
writeScreen('/goty', texts.goty.title, [
  `<link rel="preload" as="fetch" crossorigin href="${process.env.VITE_API_BASE ?? '/api'}/goty">`,
]);
writeInstallable(join(root, 'art'), join(root, 'public/trophy.svg'), dist);

/** The shell with that screen in it. What it will need first is asked for before any script runs. */
function writeScreen(path: string, title: string, links: readonly string[]) {
  const html = shell
    .replaceAll(texts.inicio.title, title)
    .replace('</head>', () => `  ${links.join('\n    ')}\n  </head>`)
    .replace('<div id="root"></div>', () => `<div id="root">${prerender(path)}</div>`);
  writeFileSync(join(dist, `${path}.html`), html);
}

/** The links to the styles of a part of the page, which a script would ask for too late. */
function stylesheets(source: string): string[] {
  return (
    chunkOf(source).css?.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`) ?? []
  );
}

function chunkOf(source: string) {
  const chunk = manifest[source];
  if (!chunk) throw new Error(`the build has no chunk for ${source}`);
  return chunk;
}
