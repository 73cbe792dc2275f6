import { COVERS_PATH } from '@goty/shared/cover-file';
import { fillSlots, LIVE_MARKS } from '@goty/shared/page-html';
import { API_PREFIX } from '@goty/shared/protocol';
import { metadata, texts } from '@goty/shared/texts';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const API = `http://localhost:${process.env.PORT || 3001}`;

/**
 * Drops from react-router 5 kB of the first JavaScript, which would exceed its 85 kB: assignments to
 * `displayName`, which keep unused components (forms and prefetching) from being tree-shaken, and the
 * messages of its invariants, which are for developers. Rolldown's own options for that would assume of
 * all modules that writing properties has no effect.
 */
const trimRouter: Plugin = {
  name: 'trim-router',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/react-router/')) return;
    return { code: code.replaceAll(DISPLAY_NAME, '').replaceAll(MESSAGE, '$1);'), map: null };
  },
};

const DISPLAY_NAME = /^\w+\.displayName = "\w+";$/gm;
const MESSAGE = /^(\s*(?:invariant|warning|warningOnce)\(.*), ([`"]).*\2\);$/gm;

/** Fills the HTML for `pnpm dev` as the standalone home would. In a build, build/build.ts does. */
const fillForDevelopment: Plugin = {
  name: 'fill-for-development',
  apply: 'serve',
  transformIndexHtml: (html) =>
    fillSlots(html, {
      title: texts.inicio.titles.open,
      description: metadata.description,
      'image-alt': metadata.imageAlt,
      'no-script': metadata.noScript,
      late: metadata.late,
      reload: texts.states.reload,
      path: '/inicio',
      links: '',
      screen: '',
      cards: '',
      live: LIVE_MARKS.eventStream,
      firestore: '',
      origin: '',
    }),
};

export default defineConfig({
  plugins: [react(), trimRouter, fillForDevelopment],
  build: {
    // Read by build.ts and budget.test.ts.
    manifest: true,
    // All target browsers support module preloading.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: {
        manualPureFunctions: [
          'import_react.createContext',
          'import_react.forwardRef',
          'import_react.memo',
        ],
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
