import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { test } from 'node:test';

// The rooms of server and page are the folders of these two, each with its own folders. The line
// 'Uses: …' in a room's README.md names the other rooms that it may import from. Entries, which stand
// beside the rooms, and tests put parts together and may import from any.

const HOUSES = ['apps/functions/src', 'apps/web/src'];
const SOURCES = '{apps,packages}/**/*.{ts,tsx,mjs}';
const IS_TEST = /\.(test|spec)\.tsx?$|-contract\.ts$|\/testing\//;
/** Browser tests and measurements. */
const IS_MEASURING = /^apps\/(e2e|measure)\//;
const MAX_LINES = 400;

const files = globSync(SOURCES, { exclude: ['**/node_modules', '**/dist', '**/.*'] });
/** The files of the product, each with the files that it imports. */
const imports = new Map(
  files.filter((file) => !IS_TEST.test(file)).map((file) => [file, importsOf(file)]),
);
const edges = [...imports].flatMap(([file, targets]) => targets.map((target) => [file, target]));

function importsOf(file) {
  const code = readFileSync(file, 'utf8');
  const eager = code.matchAll(/^(?:import|export) (?:[^'";]*? from )?'([^']+)';$/gms);
  const lazy = code.matchAll(/\bimport\('([^']+)'\)/g);
  return [...eager, ...lazy]
    .map(([, name]) => name)
    .filter((name) => /^\.|^@goty\/(functions|web)\b/.test(name))
    .map((name) => (name.startsWith('.') ? relative('.', resolve(dirname(file), name)) : name));
}

/** The room of a file, `undefined` for an entry and for files elsewhere. */
function roomOf(file) {
  return HOUSES.map((house) => file.match(`^${house}/[^/]+(?=/)`)?.[0]).find(Boolean);
}

function usesOf(room) {
  const readme = readFileSync(`${room}/README.md`, 'utf8');
  const [, line] = /^Uses: ([^.]*)\./m.exec(readme) ?? [];
  assert.ok(line, `${room}/README.md needs a line 'Uses: … .'`);
  return [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => `${dirname(room)}/${name}`);
}

const asLines = (pairs) => pairs.map((pair) => pair.join(' imports '));

test('a room imports from the rooms that its README names', () => {
  const forbidden = edges.filter(([file, target]) => {
    const room = roomOf(file);
    const isWithin = !room || target.endsWith('.json') || roomOf(target) === room;
    return !isWithin && !usesOf(room).includes(roomOf(target));
  });
  assert.deepEqual(asLines(forbidden), []);
});

test('a README names the rooms that its room imports from', () => {
  const rooms = new Set([...imports.keys()].map(roomOf).filter(Boolean));
  const unused = [...rooms].flatMap((room) => {
    const used = edges.filter(([file]) => roomOf(file) === room).map(([, to]) => roomOf(to));
    return usesOf(room)
      .filter((other) => !used.includes(other))
      .map((other) => `${room} does not use ${other}`);
  });
  assert.deepEqual(unused, []);
});

test('no import goes in a circle', () => {
  const done = new Set();
  const visit = (file, path) => {
    const start = path.indexOf(file);
    assert.equal(start, -1, [...path.slice(start), file].join(' imports '));
    if (done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
});

test('only tests and measurements import test helpers', () => {
  const forbidden = edges.filter(
    ([file, target]) => !IS_MEASURING.test(file) && target.includes('/testing/'),
  );
  assert.deepEqual(asLines(forbidden), []);
});

test('every import that is checked here is a file', () => {
  const missing = edges.filter(([, target]) => !target.startsWith('@') && !existsSync(target));
  assert.deepEqual(asLines(missing), []);
});

test(`a file has at most ${MAX_LINES} lines`, () => {
  const linesOf = (file) => readFileSync(file, 'utf8').split('\n').length - 1;
  const long = [...imports.keys()].filter((file) => linesOf(file) > MAX_LINES);
  assert.deepEqual(long, []);
});
