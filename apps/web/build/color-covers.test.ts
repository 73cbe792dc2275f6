import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { gameColor } from '../src/base/colors.ts';
import { colorCovers } from './color-covers.ts';

const dist = resolve(import.meta.dirname, '../dist');

test("W4 W6 the card of a game without a cover has the game's colour in the chart", () => {
  const html = readFileSync(join(dist, 'goty.html'), 'utf8');
  const [, frame] = /<div class="(\S+)" data-initials/.exec(html) ?? [];
  const css = globSync(join(dist, 'assets/main-*.css')).map((file) => readFileSync(file, 'utf8'));
  const rules = [...css.join('').matchAll(/\[data-color="(\d+)"\] \.(\S+)\{--game:(#\w+)\}/g)];
  const expected = Array.from({ length: 15 }, (_, at) => [`${at}`, frame, gameColor(at)]);
  expect(rules.map(([, ...rule]) => rule)).toEqual(expected);
});

test('W6 a build without the style sheet of the cards fails', async () => {
  const entry = resolve(import.meta.dirname, '../src/base/observable.ts');
  const parts = { plugins: [colorCovers], build: { ssr: entry, write: false } };
  const building = build({ configFile: false, logLevel: 'silent', ...parts });
  await expect(building).rejects.toThrow('nominee-card');
});
