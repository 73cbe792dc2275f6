import '../../../scripts/check-node.mjs';

await import('../src/standalone.ts');
