import { metadata, texts } from '@goty/shared/texts';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const API = `http://localhost:${process.env.PORT || 3001}`;

/**
 * react-router names its components for the developer tools, and a component that is written to
 * stays in the build though nobody uses it: its forms and prefetching, 2 kB of the first JavaScript.
 */
const dropDisplayNames: Plugin = {
  name: 'drop-display-names',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/react-router/')) return;
    return { code: code.replaceAll(/^\w+\.displayName = "\w+";$/gm, ''), map: null };
  },
};

/** The texts of index.html are where all texts are. */
const fillTexts: Plugin = {
  name: 'fill-texts',
  transformIndexHtml: (html) =>
    html
      .replaceAll('%TITLE%', texts.inicio.title)
      .replaceAll('%DESCRIPTION%', metadata.description)
      .replaceAll('%NO_SCRIPT%', metadata.noScript)
      // Where the page will be, as far as the build knows: for previews of shared pages.
      .replaceAll('%ORIGIN%', process.env.VITE_ORIGIN ?? ''),
};

/** `pnpm dev` has the standalone home's API behind it. */
const streamEvents: Plugin = {
  name: 'stream-events',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('<html ', '<html data-live="event-stream" '),
};

export default defineConfig({
  plugins: [react(), dropDisplayNames, fillTexts, streamEvents],
  build: {
    // The test of the JavaScript budget reads it.
    manifest: true,
    // Every browser that the build is for preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: {
        manualPureFunctions: ['import_react.createContext', 'import_react.forwardRef'],
      },
    },
  },
  server: {
    proxy: { '/api': API },
  },
  test: {
    environment: 'jsdom',
    restoreMocks: true,
    setupFiles: ['testing/setup.ts'],
    unstubGlobals: true,
  },
});
