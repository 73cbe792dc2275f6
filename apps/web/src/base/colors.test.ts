import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { faultOfEventColor, luminanceOf, textColorOn } from '@goty/shared/event-color';
import { COLOR_COUNT } from '@goty/shared/nominee';
import { expect, test } from 'vitest';
import { BAR_END_COLORS, gameColor } from './colors.ts';

const tokens = readFileSync(resolve(import.meta.dirname, 'tokens.css'), 'utf8');
const surfaces = [...tokens.matchAll(/--surface: (#[0-9a-f]{6});/g)].map(([, color = '']) => color);

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminanceOf(a), luminanceOf(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

test("W154 an event's colour has a contrast of 3:1 with the dark page, or is refused, and text on it one of 4.5:1", () => {
  const [, night = ''] = /--night: (#[0-9a-f]{6});/.exec(tokens) ?? [];
  for (let grey = 0; grey <= 255; grey += 1) {
    const part = grey.toString(16).padStart(2, '0');
    for (const color of [
      `#${part}${part}${part}`,
      `#${part}0000`,
      `#00${part}40`,
      `#4000${part}`,
    ]) {
      const isSeen = contrast(color, night) >= 3;
      expect([color, faultOfEventColor(color) === undefined]).toEqual([color, isSeen]);
      if (isSeen) expect(contrast(color, textColorOn(color)), color).toBeGreaterThanOrEqual(4.5);
    }
  }
  expect(faultOfEventColor('')).toBeUndefined();
  expect(faultOfEventColor('e4002b')).toBe('must be a colour such as #e4002b');
});

test('W93 held, no bar is nearly black, and each can be told from its background', () => {
  const css = readFileSync(resolve(import.meta.dirname, '../inicio/results.module.css'), 'utf8');
  const factor = Number(
    /\[data-held="old"\] canvas \{\s*filter: contrast\((.*?)\)/.exec(css)?.[1] ?? 1,
  );
  for (let index = 0; index < COLOR_COUNT; index += 1) {
    const channels = [1, 3, 5].map((at) => Number.parseInt(gameColor(index).slice(at, at + 2), 16));
    const luma = [0.2126, 0.7152, 0.0722].reduce(
      (sum, part, at) => sum + part * (channels[at] ?? 0),
      0,
    );
    const grey = Math.round((luma - 127.5) * factor + 127.5);
    expect(grey, gameColor(index)).toBeGreaterThan(70);
    const shown = `#${grey.toString(16).padStart(2, '0').repeat(3)}`;
    expect(contrast(shown, '#ffffff'), gameColor(index)).toBeGreaterThanOrEqual(3);
  }
});

test('W20 every bar end has a contrast of at least 3:1 in both themes', () => {
  expect(surfaces).toHaveLength(2);
  for (let index = 0; index < COLOR_COUNT; index += 1) {
    for (const surface of surfaces) {
      expect(
        contrast(gameColor(index, BAR_END_COLORS), surface),
        gameColor(index),
      ).toBeGreaterThanOrEqual(3);
    }
  }
});

test('W20 both themes have the same tokens', () => {
  const [dark = [], light = []] = [...tokens.matchAll(/--page: [^}]*?(?=\n\n|\n *\})/g)].map(
    ([theme]) => [...theme.matchAll(/--[\w-]+(?=:)/g)].map(([name]) => name),
  );
  expect(dark.length).toBeGreaterThan(10);
  expect(light).toEqual(dark);
});

test('W20 every token is used, and every one that is used exists', () => {
  const root = resolve(import.meta.dirname, '../..');
  const files = globSync('{src,build}/**/*.{css,ts,tsx}', { cwd: root }).filter(
    (path) => !path.includes('.test.'),
  );
  const source = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const namesIn = (text: string, form: RegExp) =>
    new Set([...text.matchAll(form)].map(([, name]) => name));
  const used = namesIn(source, /(?:var\(|getPropertyValue\('|tokenOf\(')(?:--)?([\w-]+)/g);
  const set = namesIn(source, /--([\w-]+)'?\]?:/g);
  expect([...used].filter((name) => !set.has(name))).toEqual([]);
  expect([...namesIn(tokens, /--([\w-]+):/g)].filter((name) => !used.has(name))).toEqual([]);
});
