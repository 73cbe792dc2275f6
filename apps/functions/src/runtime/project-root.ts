import { join, resolve } from 'node:path';

// In the packaged server, build/packaged-root.ts takes the place of this module.

/** The project's folder. Relative paths in its configuration are resolved against it. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../../../..');

/** How the operator starts a command of GOTY in the project's folder. */
export const GOTY = 'node goty.js';

export const HAS_FIREBASE = true;

export const PAGE_FOLDER = join(PROJECT_ROOT, 'apps/web/dist');
