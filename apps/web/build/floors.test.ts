import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { metadata } from '@goty/shared/texts';
import { expect, test } from 'vitest';

const dist = resolve(import.meta.dirname, '../dist');
const read = (path: string) => readFileSync(join(dist, path), 'utf8');
const assets = readdirSync(join(dist, 'assets'));

test.each(assets.filter((name) => /\.css$/.test(name)))(
  'W25 W131 %s has no range query, which Safari knows since 16.4, and hovers only where there is a pointer',
  (name) => {
    const css = read(`assets/${name}`);
    expect(css.match(/\((width|height)[<>=].*?\)/)?.[0]).toBeUndefined();
    // With a media query inside at most.
    const hovers = /@media \(hover:hover\)\{([^{}]|\{([^{}]|\{[^{}]*\})*\})*\}/g;
    const rules = css.replaceAll(hovers, '').match(/[^{}]*:hover[^{}]*\{/g) ?? [];
    // SweetAlert2 has its own, for buttons that the page does without.
    expect(rules.filter((rule) => !rule.includes(':where(.swal2'))).toEqual([]);
  },
);

test.each(assets.filter((name) => /\.css$/.test(name)))(
  "W62 W131 in %s, only looks below a pointer and the overlay's first frames depend on :has, which Firefox 115 and mixers of video lack",
  (name) => {
    // The overlay's script sets the attribute: without :has, only the frames before it are painted.
    const css = read(`assets/${name}`).replaceAll('[data-stage=overlay],:has(#directo:target)', '');
    const rules = css.match(/[^{}]*:has\([^{}]*\{/g) ?? [];
    expect(rules.filter((rule) => !/:has\(button[^)]*:(hover|active)\)/.test(rule))).toEqual([]);
  },
);

test('W22 W62 W111 every animation has its keyframes: a style sheet of a room gives both names of its own', () => {
  const css = assets.filter((name) => name.endsWith('.css')).map((name) => read(`assets/${name}`));
  const all = css.join('').replaceAll(/url\([^)]*\)/g, '');
  const frames = new Set([...all.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name));
  const named = [...all.matchAll(/animation(?:-name)?:([^;}]*)/g)].flatMap(
    ([, value = '']) =>
      value.match(/(?<![\w-])_?(?:[a-z]+-)*[a-z]+_\w+_\d+|\b(?:appear|grow|show)\b/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !frames.has(name))).toEqual([]);
});

// Without Firestore's SDK, the page asks instead.
test.each(assets.filter((name) => /^(?!firestore-).*\.js$/.test(name)))(
  'W131 %s has nothing that Safari 15.4, Chrome 100 or Firefox 115 lacks',
  (name) => {
    const newer =
      /\(\?<[=!]|AbortSignal\.(timeout|any)|URL\.canParse|withResolvers|\.to(Reversed|Sorted|Spliced)\(/;
    expect(read(`assets/${name}`).match(newer)?.[0]).toBeUndefined();
  },
);

test.each(['inicio', 'goty'])('W131 %s tells older browsers so without a script', (screen) => {
  const html = read(`${screen}.html`);
  expect(html).toContain(`<p id="old">${metadata.old}</p>`);
  expect(read(`assets/${assets.find((name) => /^main-.*css$/.test(name))}`)).toMatch(
    /@supports selector\(:focus-visible\)\{#old\{display:none\}\}/,
  );
});

test('W62 W152 Chromium paints inicio once its last element is there', () => {
  const html = read('inicio.html');
  const [, awaited] = /<link rel="expect" blocking="render" href="#(\w+)">/.exec(html) ?? [];
  const [, body = ''] = html.split('<body');
  expect(body.slice(body.lastIndexOf('<div id='))).toMatch(
    new RegExp(`^<div id="${awaited}"[^]*</div>\\s*</body>\\s*</html>\\s*$`),
  );
});
