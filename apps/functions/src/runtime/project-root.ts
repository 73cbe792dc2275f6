import { resolve } from 'node:path';

/** The folder of the project: relative paths in its configuration start here. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../../../..');
