import { fillSlots, LIVE_MARKS } from '@goty/shared/page-html';
import { API_PREFIX } from '@goty/shared/protocol';
import { metadata, texts } from '@goty/shared/texts';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const API = `http://localhost:${process.env.PORT || 3001}`;

/**
 * Drops react-router's assignments to `displayName`, which keep its unused components (forms and
 * prefetching) from being tree-shaken: 2 kB of the first JavaScript.
 */
const dropDisplayNames: Plugin = {
  name: 'drop-display-names',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/react-router/')) return;
    return { code: code.replaceAll(/^\w+\.displayName = "\w+";$/gm, ''), map: null };
  },
};

/** Fills the HTML for `pnpm dev` as the standalone home would. In a build, build/build.ts does. */
const fillForDevelopment: Plugin = {
  name: 'fill-for-development',
  apply: 'serve',
  transformIndexHtml: (html) =>
    fillSlots(html, {
      title: texts.inicio.title,
      description: metadata.description,
      'no-script': metadata.noScript,
      late: metadata.late,
      reload: texts.states.reload,
      path: '/inicio',
      links: '',
      screen: '',
      live: LIVE_MARKS.eventStream,
      firestore: '',
      origin: '',
    }),
};

export default defineConfig({
  plugins: [react(), dropDisplayNames, fillForDevelopment],
  build: {
    // Read by build.ts and budget.test.ts.
    manifest: true,
    // All target browsers support module preloading.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: {
        manualPureFunctions: ['import_react.createContext', 'import_react.forwardRef'],
      },
    },
  },
  server: {
    proxy: { [API_PREFIX]: API },
  },
  test: {
    environment: 'jsdom',
    restoreMocks: true,
    setupFiles: ['testing/setup.ts'],
    unstubGlobals: true,
  },
});
