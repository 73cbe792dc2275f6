import '../../../scripts/check-node.mjs';

await import('../cli/goty.ts');
