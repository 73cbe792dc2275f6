/**
 * The packages that bring Node name their platform as a string; pnpm skips a
 * package of another platform only where the field is a list.
 */
export const hooks = {
  readPackage(manifest) {
    for (const field of ['os', 'cpu']) {
      if (typeof manifest[field] === 'string') manifest[field] = [manifest[field]];
    }
    return manifest;
  },
};
