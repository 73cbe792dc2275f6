import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const API = `http://localhost:${process.env.PORT || 3000}`;

export default defineConfig({
  plugins: [react()],
  build: {
    // The test of the JavaScript budget reads it.
    manifest: true,
    // Every browser that the build is for preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Without these two, react-router's forms and scroll restoration stay in though nobody uses
      // them: 4 kB of the first JavaScript.
      treeshake: {
        manualPureFunctions: ['import_react.createContext', 'import_react.forwardRef'],
        propertyWriteSideEffects: false,
      },
    },
  },
  server: {
    proxy: { '/api': API },
  },
  test: {
    environment: 'jsdom',
    restoreMocks: true,
    setupFiles: ['src/test-setup.ts'],
    unstubGlobals: true,
  },
});
