// The packaged server has this module in the place of src/runtime/project-root.ts.

export const PROJECT_ROOT = import.meta.dirname;

export const GOTY = process.argv[1]?.endsWith('goty.js') ? 'node goty.js' : 'npx … goty';

export const HAS_FIREBASE = false;

export const PAGE_FOLDER = `${import.meta.dirname}/page`;
