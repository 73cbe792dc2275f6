// The contract: what was asked for, sentence by sentence, in its own words. What a sentence says is checked
// here, or is what promises of SPEC.md say, whose tests prove them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { suite, test } from 'node:test';
import { gameColor } from '../apps/web/src/base/colors.ts';
import { toChartDatum } from '../packages/shared/src/game.ts';
import { GAMES_COLLECTION } from '../packages/shared/src/protocol.ts';
import { resultTexts } from '../packages/shared/src/result-texts.ts';
import { texts } from '../packages/shared/src/texts.ts';
import { voteTexts } from '../packages/shared/src/vote-texts.ts';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const readJson = (path) => JSON.parse(read(path));
const find = (...patterns) =>
  globSync(patterns, { cwd: ROOT, exclude: ['**/node_modules', '**/dist', '**/.*'] });

const IS_TEST = /\.(test|spec)\.(ts|tsx|mjs)$|-contract\.ts$/;
const CODE = find('{apps,packages,scripts}/**/*.{ts,tsx,mjs}')
  .filter((path) => !IS_TEST.test(path))
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: read(path) }));

/** What a row says is proven by the tests of these promises: a run fails if one of them has no test. */
function promised(row, ...ids) {
  test(row, () => {
    for (const id of ids) assert.match(read('SPEC.md'), new RegExp(`^- \\*\\*${id}\\*\\* `, 'm'));
  });
}

/** The files of the product below `folder` whose text matches. */
function filesWith(folder, pattern) {
  return CODE.filter(({ path, text }) => path.startsWith(folder) && pattern.test(text));
}

/** Asserts that a file of the product below `folder` imports, at run time, what `name` says. */
function assertImported(folder, name) {
  const eager = `^(?:import|export) (?!type )[^;]*?'(?:${name})';`;
  const line = new RegExp(`${eager}|import\\('(?:${name})'\\)`, 'm');
  assert.notDeepEqual(filesWith(folder, line), [], `${folder} imports no ${name}`);
}

/** Asserts that a file of the product below `folder` imports this name from packages/shared. */
function assertShares(folder, name, module) {
  const line = new RegExp(`^import [^;]*\\b${name}\\b[^;]* from '@goty/shared/${module}';`, 'm');
  assert.notDeepEqual(filesWith(folder, line), [], `${folder} does not use ${name}`);
}

const html = (screen) => read(`apps/web/dist/${screen}.html`);
suite('Navigation bar', () => {
  promised("A trophy image with a brand link to the route 'inicio'.", 'W1');
  promised("A title text 'GOTY'.", 'W1');
  promised("Two links: 'Inicio' goes to /inicio; 'Votar' goes to /goty.", 'W1');
  promised('The link of the current route is marked active.', 'W1');
  test('The navigation bar sits above the area where the current screen is shown.', () => {
    assert.match(html('inicio'), /<nav .*<main /s);
    assert.match(html('goty'), /<nav .*<main /s);
  });
});

suite('Routes', () => {
  for (const [screen, heading] of [
    ['inicio', 'Game of the year'],
    ['goty', 'votar por el juego del año'],
  ]) {
    test(`${screen}: Heading '${heading}'`, () => {
      assert.equal(texts[screen].heading, heading);
      assert.match(html(screen), new RegExp(`<h1[^>]*>${heading}</h1>`));
    });
  }
  promised('inicio: a horizontal bar chart of votes per game.', 'W3');
  promised('goty: a grid of nominated games, four columns.', 'W13');
  promised("any other path: Redirects to 'inicio'.", 'W2');
});

suite('Chart (inicio)', () => {
  promised('Horizontal bars, one per game; the value is the vote count.', 'W3');
  test("X-axis label 'Juegos'; y-axis label 'Votos'.", () => {
    assert.deepEqual([resultTexts.xAxis, resultTexts.yAxis], ['Juegos', 'Votos']);
  });
  promised('A legend and a gradient are shown.', 'W5', 'W3');
  test("Colour scheme 'nightLights'.", () => {
    const scheme =
      '#4e31a5 #9c25a7 #3065ab #57468b #904497 #46648b #32118d #a00fb3 #1052a2 #6e51bd #b63cc3 #6c97cb #8671c1 #b455be #7496c3';
    const colors = Array.from({ length: 15 }, (_, index) => gameColor(index));
    assert.equal(colors.join(' '), scheme);
    assert.equal(gameColor(15), colors[0]);
  });
  promised('The container is 300px high.', 'W3');
});

suite('Nominee card (goty)', () => {
  promised("Each card shows the game image, the name, the text and a button 'Votar'.", 'W6');
  test("the text 'Click aqui para votar' and a button 'Votar'", () => {
    assert.deepEqual([texts.goty.hints.open, texts.goty.vote], ['Click aqui para votar', 'Votar']);
  });
});

suite('Entities and their fields', () => {
  const fields =
    'Game: id, name, url, votos. Chart datum: {name, value}. Vote response: ok, mensaje.';
  test(fields, () => {
    // The compiler checks that one.
    assert.ok(read('apps/web/src/base/parse.test.ts').includes(`test('${fields}'`));
  });
  promised('The nominee list call returns id, name and url.', 'N1');
  test("{name, value}, built from name and votos of each document of the remote collection 'goty'.", () => {
    assert.equal(GAMES_COLLECTION, 'goty');
    assert.deepEqual(toChartDatum({ name: 'Uno', votos: 3 }), { name: 'Uno', value: 3 });
    const namesOf = (files) => files.map(({ path }) => basename(path)).sort();
    const results = 'apps/web/src/results/';
    assert.deepEqual(namesOf(filesWith(results, /\btoChartDatum\(/)), ['game-view.ts']);
    // What chart and table show of a game is a view that is built there.
    const users = namesOf(filesWith('apps/web/src/inicio/', /\bGameView\b/));
    for (const user of ['chart-rows.tsx', 'legend.tsx']) assert.ok(users.includes(user), user);
  });
});

suite('States and transitions', () => {
  promised('The nominee list is loaded on first need and then kept in memory.', 'W10');
  promised("The inicio screen subscribes to live changes of the collection 'goty'.", 'W12', 'W90');
  promised(
    'Voting: pressing Votar on a card sends the vote. The answer is shown in a dialog.',
    'W7',
  );
  promised('Any visitor can vote.', 'V3', 'W25');
});

suite('The calls it makes', () => {
  promised('GET {api}/goty, POST {api}/goty/{id}', 'N1', 'V7');
  promised('Array of nominees (id, name, url). Cached after the first load.', 'N1', 'W10');
  promised('empty body object; {id} is the nominee id', 'W81');
  promised(
    'Read for ok and mensaje. On failure the error body is used as the response.',
    'V7',
    'W7',
  );
  promised('Provides name and votos for each document, continuously.', 'F1', 'W12');
});

suite('The error catalogue', () => {
  test("Success dialog titled 'Gracias', error dialog titled 'Ooops'", () => {
    assert.deepEqual([voteTexts.dialog.success, voteTexts.dialog.failure], ['Gracias', 'Ooops']);
  });
  promised('Vote response with ok true, or not true: a dialog showing mensaje.', 'W7');
  promised('Vote request fails: the error body is treated as the response.', 'W7');
});

suite('The shape', () => {
  const everywhere = ['apps/web/', 'apps/functions/'];
  test('Language TypeScript, frontend React, interface texts in Spanish.', () => {
    assert.deepEqual(find('{apps,packages}/*/src/**/*.{js,jsx,mjs}'), []);
    assert.match(html('inicio'), /<html lang="es"/);
  });
  test('kind: pnpm monorepo with separate functions, shared types and web packages.', () => {
    assert.match(readJson('package.json').packageManager, /^pnpm@/);
    assert.match(read('pnpm-workspace.yaml'), /^packages:\n {2}- apps\/\*\n {2}- packages\/\*$/m);
    for (const folder of ['apps/web', 'apps/functions', 'packages/shared']) {
      assert.equal(readJson(`${folder}/package.json`).name, `@goty/${basename(folder)}`);
    }
  });
  for (const [name, folder, pattern = `${name}(?:/[^']*)?`] of [
    ['react', 'apps/web/src/'],
    ['react-dom', 'apps/web/src/main.tsx', 'react-dom/client'],
    ['react-router', 'apps/web/src/app/'],
    ['firebase', 'apps/web/src/live/', 'firebase/firestore(?:/lite)?'],
    ['firebase-functions', 'apps/functions/src/index.ts'],
    ['firebase-admin', 'apps/functions/src/index.ts'],
    ['express', 'apps/functions/src/http/'],
    ['cors', 'apps/functions/src/cloud/'],
    ['chart.js', 'apps/web/src/inicio/'],
    ['react-chartjs-2', 'apps/web/src/inicio/'],
    ['sweetalert2', 'apps/web/src/vote/'],
  ]) {
    test(`packages used: ${name}`, () => assertImported(folder, pattern));
  }
  test('packages used: turbo', () => {
    assert.equal(readJson('package.json').scripts.build, 'turbo run build');
  });
  test('packages used: vitest', () => {
    for (const folder of [...everywhere, 'packages/shared/']) {
      assert.match(readJson(`${folder}package.json`).scripts.test, /^vitest run /);
    }
  });
  const top =
    'package.json, pnpm-workspace.yaml, turbo.json, firebase.json, firestore.rules, packages, apps, README.md';
  test(`top level: ${top}`, () => {
    for (const name of top.split(', ')) assert.ok(existsSync(join(ROOT, name)), name);
  });
  promised(
    'apps/functions: Express app on Firebase Functions exposing GET /goty and POST /goty/:id',
    'F2',
    'F13',
  );
  test('packages/shared: types and the Spanish text constants', () => {
    assertShares('apps/functions/src/', 'Game', 'game');
    assertShares('apps/web/src/results/', 'ChartDatum', 'game');
    for (const folder of everywhere) {
      assertShares(`${folder}src/`, 'VoteResponse', 'game');
      assertShares(`${folder}src/`, '(?:apiT|voteT|t)exts', 'texts');
    }
  });
  test('web, functions and shared are built together by Turborepo.', () => {
    const shell = process.platform === 'win32';
    const { stdout } = spawnSync('turbo', ['run', 'build', '--dry=json'], { cwd: ROOT, shell });
    const { tasks } = JSON.parse(stdout);
    const builds = tasks.filter(({ command }) => command !== '<NONEXISTENT>');
    assert.ok(builds.some(({ taskId }) => taskId === '@goty/shared#build'));
    for (const name of ['web', 'functions']) {
      const build = builds.find(({ taskId }) => taskId === `@goty/${name}#build`);
      assert.ok(build?.dependencies.includes('@goty/shared#build'), name);
    }
  });
  promised('used by: developers running the Firebase emulator suite', 'F10');
  test('used by: CI building all workspaces', () => {
    assert.match(read('.github/workflows/ci.yml'), /^ +run: npx -y pnpm@12 test$/m);
    assert.match(read('.ci/run'), /^npx -y pnpm@12 test$/m);
    assert.match(read('scripts/test.mjs'), /run\('turbo', \['run', \.\.\.tasks/);
  });
});
