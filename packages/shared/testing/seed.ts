/**
 * The seed of random tests: every run makes the same values. A failure prints it, with the path to
 * the shortest example that fails.
 */
export const SEED = 20_261_122;
