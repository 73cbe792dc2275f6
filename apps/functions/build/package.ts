import { copyFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { PAGE_FOLDER, PROJECT_ROOT } from '../src/runtime/project-root.ts';

// `pnpm run package [FOLDER]`: writes a folder with all that the standalone home needs besides Node, npm packages included.

const [target = 'dist'] = process.argv.slice(2);
const folder = resolve(PROJECT_ROOT, target);

await build({
  root: resolve(import.meta.dirname, '..'),
  logLevel: 'warn',
  build: {
    ssr: true,
    outDir: folder,
    // The folder is not emptied: it may hold the votes of a server that was tried there.
    emptyOutDir: false,
    target: 'node24',
    rolldownOptions: {
      input: {
        server: 'build/packaged-server.mjs',
        goty: 'build/packaged-goty.mjs',
        bin: 'build/packaged-bin.mjs',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    },
    license: { fileName: 'LICENSES.md' },
  },
  resolve: {
    alias: [
      { find: /^.*\/project-root\.ts$/, replacement: packagedModule('root') },
      {
        find: /^firebase-admin\/.*|^.*\/firestore\/store\.ts$/,
        replacement: packagedModule('cloud'),
      },
    ],
  },
  ssr: { noExternal: true },
});
rmSync(join(folder, 'page'), { recursive: true, force: true });
const hostingCovers = join(PAGE_FOLDER, 'covers');
cpSync(PAGE_FOLDER, join(folder, 'page'), {
  recursive: true,
  filter: (path) => path !== hostingCovers,
});
const covers = join(PROJECT_ROOT, 'covers');
if (existsSync(covers)) cpSync(covers, join(folder, 'covers'), { recursive: true });
for (const name of ['nominees.json', 'LICENSE']) {
  copyFileSync(join(PROJECT_ROOT, name), join(folder, name));
}
const { name, version } = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
const manifest = {
  name,
  version,
  private: true,
  type: 'module',
  engines: { node: '>=24' },
  bin: 'bin.js',
  // The files for `npm pack`, without the votes of a server that was tried in this folder.
  files: ['*.js', 'LICENSES.md', 'covers', 'nominees.json', 'page'],
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
console.info(`Run it in ${folder} with \`node server.js\``);

function packagedModule(name: string) {
  return join(import.meta.dirname, `packaged-${name}.ts`);
}
