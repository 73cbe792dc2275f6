// `pnpm goty COMMAND`: the operator's commands. Also the entry of the packaged ones, `goty.js`.
import './check-node.mjs';

await import('../apps/functions/cli/goty.ts');
