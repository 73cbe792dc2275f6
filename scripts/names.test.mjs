// A name means one thing in every room, and a comment says what it is about. Whoever adds a name that another room has
// finds a better one, or says below why it means the same in both.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';

/** What is left to mend. These may only fall: whoever mends some lowers them. */
const MAX = { repeatedNames: 0, repeatedFiles: 0, bareWords: 175, leaningComments: 0 };

const FOLDERS = [
  ...['src', 'cli', 'build', 'demo', 'emulators'].map((folder) => `apps/functions/${folder}`),
  ...['apps/web/src', 'apps/web/build', 'packages/shared/src', 'scripts'],
];
const IS_TEST = /\.(test|spec)\.(tsx?|mjs)$|-contract\.ts$|\/testing\//;

/** Names that several rooms declare with one meaning. */
const SAME_MEANING = new Map([
  ['GOTY', 'packaged-root.ts takes the place of project-root.ts in the package'],
  ['HAS_FIREBASE', 'likewise'],
  ['PAGE_FOLDER', 'likewise'],
  ['PROJECT_ROOT', 'likewise'],
  ['Props', 'of the one component of a file'],
  ['covers', 'that a build copies'],
  ['folder', 'that a program writes or removes'],
  ['manifest', 'of what a build makes'],
  ['parseJson', 'a JSON text as a value, or why it is none'],
  ['readBallots', 'of each store'],
  ['root', 'from which a build starts'],
  ['status', 'of a child that has ended; and the command of that name'],
  ['styleOf', 'of a row'],
  ['toGame', 'of each store'],
]);
/** Likewise for files: adapters of one port, a build for each app, the command `nominees`. */
const SAME_FILES = new Set(['build.ts', 'index.ts', 'nominees.ts', 'store.ts']);

/** A name that says nothing without what stands around it. */
const BARE_WORD =
  /^(told|said|heard|known|shown|seen|left|taken|given|found|counted|meant|armed|asked|marked|own|all|more|others?|one|rest|tell|hear|say|create|ask|look|has|makes?|sure|there)$/i;
/** How a comment begins whose subject is in the code, or in another comment. */
const LEANING =
  /^(Its?|They|Their|Th(at|ose|is|ese)|Others|One (that|of another|from|who|which|more|alone)|Of (it|them|all|these|those|codes)|With (it|this|that)|The (same|others?|ones?|first may)|Then|Otherwise|Likewise|Nothing is|Until (this|it|something|here)|Not (the first|necessarily)|Never)\b/;

const files = globSync(
  FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx,mjs}`),
  { exclude: ['**/.*'] },
)
  .filter((path) => !IS_TEST.test(path))
  .map((path) => {
    const text = readFileSync(path, 'utf8');
    return { path, text, room: roomOf(path), ...parseSync(path, text) };
  });

/** The rooms of server and page are folders, and their entries are one more; each other folder is one. */
function roomOf(path) {
  const folder = FOLDERS.find((each) => path.startsWith(`${each}/`));
  return path.match(/^apps\/(functions|web)\/src\/[^/]+(?=\/)/)?.[0] ?? folder;
}

const placeOf = ({ path, text }, { start }) => `${path}:${text.slice(0, start).split('\n').length}`;

/** The identifiers that a pattern such as `{ a, b: [c, ...d] }` binds. */
function boundIn(pattern) {
  if (pattern?.type === 'Identifier') return [pattern];
  const parts = [pattern?.left, pattern?.argument, pattern?.value, pattern?.parameter];
  const lists = [pattern?.properties, pattern?.elements];
  return [...parts, ...lists.flatMap((list) => list ?? [])].filter(Boolean).flatMap(boundIn);
}

/** What a file declares at its top, but for names of what another one declares: `await import(…)`, `lazy(…)`. */
function declaredIn({ text, program }) {
  return program.body.flatMap((statement) => {
    const { id, declarations = [] } = statement.declaration ?? statement;
    const own = declarations.filter(({ init }) => {
      const isImport = init && !/Function/.test(init.type);
      return !(isImport && /\bimport\(/.test(text.slice(init.start, init.end)));
    });
    return [id, ...own.map((each) => each.id)].filter(Boolean).flatMap(boundIn);
  });
}

/** All that a file names: variables, parameters, functions, types. */
function bindingsIn({ program }) {
  const bound = [];
  const add = (...patterns) => bound.push(...patterns.flatMap(boundIn));
  const addFunction = ({ type, id, params }) =>
    add(...(type === 'FunctionDeclaration' ? [id] : []), ...params);
  new Visitor({
    VariableDeclarator: ({ id }) => add(id),
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    ClassDeclaration: ({ id }) => add(id),
    TSInterfaceDeclaration: ({ id }) => add(id),
    TSTypeAliasDeclaration: ({ id }) => add(id),
  }).visit(program);
  return bound;
}

/** The comments of a file as `{start, words}`. Line comments that follow each other are one. */
function commentsIn({ text, comments }) {
  const joined = [];
  for (const { type, value, start, end } of comments) {
    const last = joined.at(-1);
    if (type === 'Line' && last?.type === 'Line' && text.slice(last.end, start).trim() === '') {
      last.end = end;
    } else {
      joined.push({ type, start, end, words: value.replace(/^[\s*]+/, '') });
    }
  }
  return joined;
}

/** Groups `{name, room, place}` by name, and returns a line for each name that several rooms have. */
function inSeveralRooms(uses) {
  return [...Map.groupBy(uses, ({ name }) => name)]
    .filter(([, group]) => new Set(group.map(({ room }) => room)).size > 1)
    .map(([name, group]) => ({ name, line: [name, ...group.map(({ place }) => place)].join(' ') }));
}

function assertAtMost(max, lines) {
  assert.ok(lines.length <= max, [`${lines.length}, not ${max}:`, ...lines].join('\n'));
}

test('a name is declared at the top of files of one room', () => {
  const names = inSeveralRooms(
    files.flatMap((file) =>
      declaredIn(file).map((id) => ({ name: id.name, room: file.room, place: placeOf(file, id) })),
    ),
  );
  const others = names.filter(({ name }) => !SAME_MEANING.has(name));
  assertAtMost(
    MAX.repeatedNames,
    others.map(({ line }) => line),
  );
  const unused = [...SAME_MEANING.keys()].filter((key) => !names.some(({ name }) => name === key));
  assert.deepEqual(unused, []);
});

test('a file name is that of files of one room', () => {
  const names = inSeveralRooms(
    files.map(({ path, room }) => ({ name: basename(path), room, place: path })),
  );
  const others = names.filter(({ name }) => !SAME_FILES.has(name));
  assertAtMost(
    MAX.repeatedFiles,
    others.map(({ line }) => line),
  );
});

test('few names are a bare participle, pronoun or verb', () => {
  const bare = files.flatMap((file) =>
    bindingsIn(file)
      .filter(({ name }) => BARE_WORD.test(name))
      .map((id) => `${placeOf(file, id)} ${id.name}`),
  );
  assertAtMost(MAX.bareWords, bare);
});

test('few comments begin with a word whose noun is somewhere else', () => {
  const leaning = files.flatMap((file) =>
    commentsIn(file)
      .filter(({ words }) => LEANING.test(words))
      .map((comment) => `${placeOf(file, comment)} ${comment.words.split('\n')[0]}`),
  );
  assertAtMost(MAX.leaningComments, leaning);
});
