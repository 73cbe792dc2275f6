// The entry of the packaged server, `server.js`.
import '../../../scripts/check-node.mjs';

await import('../src/standalone.ts');
