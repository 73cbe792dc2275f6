// `pnpm nominees`: adds the nominees of a file to a Firebase project.
import './check-node.mjs';

await import('../apps/functions/cli/nominees.ts');
