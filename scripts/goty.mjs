// `pnpm goty COMMAND`: the operator's commands.
import './check-node.mjs';

await import('../apps/functions/cli/goty.ts');
