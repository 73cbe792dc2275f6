import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const TOKENS_FILE = resolve(import.meta.dirname, '../src/base/tokens.css');

/** Returns a colour of tokens.css, as in '#0e0a1f', for code that is not CSS. */
export function tokenOf(name: string): string {
  const [, color] =
    new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(readFileSync(TOKENS_FILE, 'utf8')) ?? [];
  if (color === undefined) throw new Error(`${TOKENS_FILE} has no colour --${name}`);
  return color;
}
