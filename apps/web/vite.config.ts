/// <reference types="vitest/config" />
import { COVERS_PATH } from '@goty/shared/covers';
import { LIVE_MARKS, slot } from '@goty/shared/page-html';
import { API_PREFIX } from '@goty/shared/protocol';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
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

/** What inicio's headline is made of, and the texts and numbers that chart, legend and dialog share. */
const WORDS =
  /results\/(headline|colors)\.ts|base\/format|live\/ranking|shared\/src\/(result-texts|share-texts)|share\/share\.ts/;

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
            {
              name: 'first',
              test: /shared\/src\/(covers|game|parse|protocol)|base\/(initials|request)|live\/ask/,
              priority: 1,
            },
            { name: 'react', test: /\/react\/|base\/(react|cover-image)|results\/snapshot/ },
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
