#!/usr/bin/env node
// The package's `bin`. `npx FILE` runs the server, `npx FILE goty COMMAND` a command.
import '../../../scripts/check-node.mjs';
import { resolve } from 'node:path';
import { loadVariables } from '../src/operator/env-file.ts';

// npx runs the package from its cache, where no votes may be stored, so `.env` and paths are those of the caller's folder.
try {
  for (const note of loadVariables('.')) console.error(note);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.env.DATABASE ||= '.data/goty.sqlite';
for (const name of ['DATABASE', 'NOMINEES', 'COVERS']) {
  if (process.env[name]) process.env[name] = resolve(process.env[name]);
}
// `npx FILE goty COMMAND` passes `goty` on as an argument; with `npx -p FILE goty COMMAND`, that word is the program's own name.
if (process.argv[2] === 'goty') process.argv.splice(2, 1);
const isCommand = process.argv.length > 2;
await (isCommand ? import('../cli/goty.ts') : import('../src/standalone.ts'));
