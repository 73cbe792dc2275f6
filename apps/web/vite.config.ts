import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { COVERS_PATH } from '@goty/shared/covers';
import { LIVE_MARKS, slot } from '@goty/shared/page-html';
import { API_PREFIX } from '@goty/shared/protocol';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { colorCovers } from './build/color-covers.ts';

const API = `http://localhost:${process.env.PORT || 3001}`;

/** Fills the HTML for `pnpm dev` as far as the page needs it. In a build, build/build.ts fills all of it. */
const fillForDevelopment: Plugin = {
  name: 'fill-for-development',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replace(slot('live'), LIVE_MARKS.eventStream)
      .replaceAll(slot('path'), '/inicio')
      .replaceAll(/\{\{[\w-]+\}\}/g, ''),
};

/** The texts and numbers that headline, chart, legend and dialog share. */
const WORDS = isIn(
  'src/results/colors.ts',
  'src/base/format.ts',
  'src/live/ranking.ts',
  'src/share/share.ts',
  '../../packages/shared/src/result-texts.ts',
  '../../packages/shared/src/share-texts.ts',
);

/** What the first script shares with those that come later. */
const FIRST = isIn(
  'src/base/request.ts',
  'src/live/ask.ts',
  '../../packages/shared/src/covers.ts',
  '../../packages/shared/src/game.ts',
  '../../packages/shared/src/parse.ts',
  '../../packages/shared/src/protocol.ts',
);

/** React itself, and what several of the late scripts make of it. */
const REACT = isIn(
  'node_modules/react',
  'src/base/react.ts',
  'src/base/cover-image.tsx',
  'src/results/snapshot.ts',
);

export default defineConfig({
  plugins: [react(), colorCovers, fillForDevelopment],
  build: {
    // Read by build.ts and budget.test.ts.
    manifest: true,
    // The floors of SPEC W131. Safari 15.4 runs what 16 does: for a fault in its class fields, which nothing here
    // meets, they would be rewritten, 10 kB more in the chart. Older browsers are told so in the HTML.
    target: ['safari16', 'chrome100', 'firefox115'],
    // Safari below 17 loads such modules a little later without it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Nothing here has getters that do something. Without this, Chart.js keeps 6 kB that the chart does not use.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // What several chunks share would be many files, each with a request and a compression of its own.
        codeSplitting: {
          groups: [
            { name: 'words', test: WORDS },
            // Before the others, or they would take it along, and the first script would wait for React.
            { name: 'first', test: FIRST, priority: 1 },
            { name: 'react', test: REACT },
          ],
        },
      },
    },
  },
  server: {
    proxy: { [API_PREFIX]: API, [COVERS_PATH]: API },
  },
  test: {
    environment: 'jsdom',
    // One jsdom and one React for all files: to make them anew took most of the time.
    isolate: false,
    restoreMocks: true,
    setupFiles: ['testing/setup.tsx'],
    // So long that only a test that hangs exceeds it.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});

/**
 * Returns whether the id of a module is one of these files, or in one of these folders.
 *
 * @throws if one is gone: the chunks would be split in another way, and nobody would see that
 */
function isIn(...paths: string[]) {
  const real = paths.map((path) => realpathSync(join(import.meta.dirname, path)));
  return (id: string) => real.some((path) => id === path || id.startsWith(`${path}/`));
}
