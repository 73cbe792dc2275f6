/// <reference types="vitest/config" />
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { COVERS_PATH } from '@goty/shared/nominee';
import { type LiveMark, slot } from '@goty/shared/page-html';
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
      .replace(slot('live'), 'event-stream' satisfies LiveMark)
      .replaceAll(slot('path'), '/inicio')
      .replaceAll(/\{\{[\w-]+\}\}/g, ''),
};

/** The texts, numbers and elements that headline, chart, legend and dialog share. */
const WORDS = isIn(
  'results/game-view.ts results/headline.ts base/colors.ts base/format.ts share/share.ts',
  'ranking.ts result-texts.ts',
);
/** What the first script shares with those that come later. */
const FIRST = isIn(
  'base/observable.ts base/parse.ts base/request.ts live/fetch-standings.ts live/nominees.ts',
  'game.ts nominee.ts protocol.ts sentence.ts vote-texts.ts',
);
/** React itself, and what several of the late scripts make of it. */
const REACT = isIn(
  `base/react.ts base/cover-image.tsx results/show.ts ../node_modules/react
  ../node_modules/react-dom/index.js ../node_modules/react-dom/cjs/react-dom.production.js`,
  'texts.ts vote-times.ts',
);

/** What screens and stage load late. Apart from each other, they would be larger. */
const LATE = isIn('base/countdown.tsx results/covers.tsx share/share-button.tsx');

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
      // So no number needs an export in one chunk and an import in another: 250 bytes of the first JavaScript.
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        // What several chunks share would be many files, each with a request and a compression of its own.
        codeSplitting: {
          groups: [
            { name: 'words', test: WORDS },
            // Before the others, or they would take it along, and the first script would wait for React.
            { name: 'first', test: FIRST, priority: 1 },
            { name: 'react', test: REACT },
            { name: 'late', test: LATE },
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
    expect: { poll: { timeout: 60_000 } },
    unstubEnvs: true,
    unstubGlobals: true,
  },
});

/**
 * Returns whether the id of a module is one of these files of the page and of packages/shared, or in one of these folders.
 *
 * @throws if one is gone: the chunks would be split in another way, and nobody would see that
 */
function isIn(ofPage: string, ofShared?: string) {
  const real = (folder: string, paths: string | undefined) =>
    (paths?.split(/\s+/) ?? []).map((path) =>
      realpathSync(join(import.meta.dirname, folder, path)),
    );
  const paths = [...real('src', ofPage), ...real('../../packages/shared/src', ofShared)];
  return (id: string) => paths.some((path) => id === path || id.startsWith(`${path}/`));
}
