import { resolve } from 'node:path';

/** The project's folder. Relative paths in its configuration are resolved against it. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../../../..');
