import { fillSlots, LIVE_MARKS } from '@goty/shared/page-html';
import { API_PREFIX } from '@goty/shared/protocol';
import { metadata, texts } from '@goty/shared/texts';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const API = `http://localhost:${process.env.PORT || 3001}`;

/**
 * react-router names its components for the developer tools. Tree shaking keeps a component that is
 * assigned to, even an unused one: its forms and prefetching, 2 kB of the first JavaScript.
 */
const dropDisplayNames: Plugin = {
  name: 'drop-display-names',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/react-router/')) return;
    return { code: code.replaceAll(/^\w+\.displayName = "\w+";$/gm, ''), map: null };
  },
};

/** `pnpm dev` has the standalone home's API behind it. A build leaves the slots to build/build.ts. */
const fillForDevelopment: Plugin = {
  name: 'fill-for-development',
  apply: 'serve',
  transformIndexHtml: (html) =>
    fillSlots(html, {
      title: texts.inicio.title,
      description: metadata.description,
      'no-script': metadata.noScript,
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
    // For build.ts and the test of the JavaScript budget.
    manifest: true,
    // All browsers that the build is for preload modules natively.
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
