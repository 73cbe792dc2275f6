// The entry of the packaged commands, `goty.js`.
import '../../../scripts/check-node.mjs';

await import('../cli/goty.ts');
