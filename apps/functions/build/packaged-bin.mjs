#!/usr/bin/env node
// The package's `bin`. `npx FILE` runs the server, `npx FILE goty COMMAND` a command.
import '../../../scripts/check-node.mjs';
import { resolve } from 'node:path';
import { loadVariables } from '../src/operator/env-file.ts';

// npx keeps the package in its cache, where no votes may be: `.env` and paths start where it was called.
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
// With `npx -p FILE` the word is the program.
if (process.argv[2] === 'goty') process.argv.splice(2, 1);
const isCommand = process.argv.length > 2;
await (isCommand ? import('../cli/goty.ts') : import('../src/standalone.ts'));
