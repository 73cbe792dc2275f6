// What the documentation names is what the code knows, in both directions, and its links lead somewhere.
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { readConfig, readParameters, VARIABLES } from '../apps/functions/src/operator/config.ts';
import { NOMINEE_FIELDS } from '../apps/functions/src/operator/nominees-file.ts';
import { VOTE_POLICIES } from '../apps/functions/src/votes/vote-store.ts';
import { DESK_PATHS } from '../packages/shared/src/desk-protocol.ts';
import { API_PATHS, API_PREFIX } from '../packages/shared/src/protocol.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FUNCTION = join(ROOT, 'apps/functions/src/index.ts');
const GOTY = join(ROOT, 'apps/functions/cli/goty.ts');

/** Other sites, and the repository's own pages on GitHub. */
const ELSEWHERE = /^(https?:|(\.\.\/)+(actions|releases)\b)/;

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const find = (...patterns) =>
  globSync(patterns, { cwd: ROOT, exclude: (path) => /node_modules|dist/.test(String(path)) });
const PAGES = find('*.md', 'docs/**/*.md', '.github/**/*.md', '{apps,packages}/**/README.md');
/** Where an operator reads which command to give when. */
const GUIDES = ['docs/run-a-vote.md', 'docs/keep-a-vote.md'];
/** What builds what others run. */
const PINNED = [
  'firebase.json',
  'deploy/Dockerfile',
  '.github/workflows/deploy.yml',
  '.github/workflows/release.yml',
];
/** What stands before a command where it is written out. */
const CALL = /^(.*(pnpm(@12)?|tgz) goty|.*goty\.js|goty) (?=[a-z])/;
const unquote = (cell) => cell.replaceAll('`', '');

/** The cells of the first table below a heading, without its head. */
function tableBelow(path, heading) {
  const [, section] = read(path).split(new RegExp(`^#+ ${heading}$`, 'm'));
  assert.ok(section, `${path} has no heading '${heading}'`);
  const [table = ''] = /(^\|.*\n)+/m.exec(section) ?? [];
  const [, , ...rows] = table.trim().split('\n');
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function namesBelow(path, heading) {
  return tableBelow(path, heading).flatMap(([cell]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
}

/** Asserts that a table has these names, in any order, each as often as one likes. */
function assertNames(path, heading, names) {
  assert.deepEqual(new Set(namesBelow(path, heading)), new Set(names));
}

test("the variables of README, and of SPEC's P2, are those of the server, with its defaults", () => {
  assert.deepEqual(namesBelow('README.md', 'Configure it'), [...VARIABLES]);
  const [promise = ''] = /^- \*\*P2\*\*.*$/m.exec(read('SPEC.md')) ?? [];
  assert.deepEqual(promise.match(/(?<=`)[A-Z_]+(?=`)/g), [...VARIABLES]);
  for (const row of tableBelow('README.md', 'Configure it')) {
    const [name, value] = row.map(unquote);
    if (name === 'HOST') continue;
    assert.deepEqual(readConfig({ [name]: value }, ROOT), readConfig({}, ROOT), name);
  }
});

test('.env.example has every variable, switched off, with its default', () => {
  const lines = read('.env.example').split('\n');
  assert.deepEqual(parseEnv(lines.join('\n')), {});
  const values = parseEnv(lines.map((line) => line.replace(/^# (?=[A-Z_]+=)/, '')).join('\n'));
  assert.deepEqual(Object.keys(values).toSorted(), VARIABLES.toSorted());
  assert.deepEqual(readConfig(values, ROOT), readConfig({}, ROOT));
});

test('compose.yaml hands every variable to the server, as deploy/.env sets it or with its default', () => {
  const { parse } = createRequire(FUNCTION)('yaml');
  const { environment } = parse(read('deploy/compose.yaml')).services.goty;
  /** The values of `environment` if deploy/.env has these lines. */
  const given = (set) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, key, other = '') => set[key] ?? other),
      ]),
    );
  // The image sets two. Without HOST, the server listens at all addresses of its container.
  const [, ofImage] = /^ENV (.*)$/m.exec(read('deploy/Dockerfile')) ?? [];
  const names = [
    ...Object.keys(parseEnv(ofImage.replaceAll(' ', '\n'))),
    'HOST',
    ...Object.keys(environment),
  ];
  assert.deepEqual(names.filter((name) => name !== 'NODE_ENV').toSorted(), VARIABLES.toSorted());

  const fixed = { TRUST_PROXY: '1', PUBLIC_URL: 'https://vote.example' };
  assert.deepEqual(readConfig(given({ DOMAIN: 'vote.example' }), ROOT), readConfig(fixed, ROOT));
  const own = Object.keys(environment).filter((name) => !Object.hasOwn(fixed, name));
  const marked = Object.fromEntries(own.map((name) => [name, `<${name}>`]));
  assert.deepEqual(given({ DOMAIN: 'vote.example', ...marked }), { ...fixed, ...marked });
});

test('the parameters of firebase.md are those of the Function, with their defaults', async () => {
  await import(FUNCTION);
  const { declaredParams } = createRequire(FUNCTION)('firebase-functions/params');
  const declared = declaredParams.map((param) => param.toSpec());
  assert.deepEqual(
    tableBelow('docs/firebase.md', 'Parameters').map((row) => row.slice(0, 2).map(unquote)),
    declared.map((param) => [param.name, String(param.default)]),
  );
});

test('every variable and every parameter is read, and what is made of it is used', () => {
  /** What a function makes of variables, and which it reads. */
  const trace = (readFrom) => {
    const names = new Set();
    const values = new Proxy({}, { get: (_, name) => void names.add(name) });
    return { fields: Object.keys(readFrom(values, ROOT)), names: [...names].toSorted() };
  };
  const isUsedIn = (path) => (field) => new RegExp(`\\b${field}\\b`).test(read(path));
  const config = trace(readConfig);
  assert.deepEqual(config.names, VARIABLES.toSorted());
  const unused = config.fields.filter(
    (field) => !isUsedIn('apps/functions/src/standalone.ts')(field),
  );
  assert.deepEqual(unused, []);
  // The compiler finds others that are not used: they have a name.
  const declared = read('apps/functions/src/index.ts').matchAll(/^define\w+\('(\w+)'/gm);
  const parameters = trace(readParameters);
  assert.deepEqual(parameters.names, [...declared].map(([, name]) => name).toSorted());
  const unread = parameters.fields.filter(
    (field) => !isUsedIn('apps/functions/src/index.ts')(field),
  );
  assert.deepEqual(unread, []);
});

test('README, firebase.md and .env.example name every policy', () => {
  const rows = [
    ...tableBelow('README.md', 'Configure it'),
    ...tableBelow('docs/firebase.md', 'Parameters'),
  ];
  const texts = rows.filter(([name]) => unquote(name) === 'VOTE_POLICY').map(String);
  const [example = ''] = /^# .*\n# VOTE_POLICY=/m.exec(read('.env.example')) ?? [];
  for (const text of [...texts, example])
    assert.deepEqual(
      VOTE_POLICIES.filter((policy) => !text.includes(policy)),
      [],
    );
  assert.equal(texts.length, 2);
});

test('run-a-vote.md names every column of a nominees file', () => {
  const [, columns = ''] =
    /^CSV from a spreadsheet has .* columns (.*?);/m.exec(read('docs/run-a-vote.md')) ?? [];
  assert.deepEqual(columns.match(/\w+(?=`)/g), NOMINEE_FIELDS);
});

test('the variables of a build and of the workflow are those that they read', () => {
  const built = globSync(['apps/web/{src,build}/**/*.{ts,tsx}', 'scripts/*.mjs'], { cwd: ROOT })
    .filter((path) => !path.includes('.test.'))
    .flatMap((path) => read(path).match(/VITE_[A-Z_]+/g) ?? []);
  assertNames('docs/firebase.md', 'Variables of the build', built);
  const workflow = read('.github/workflows/deploy.yml').match(/(?<=vars\.)\w+/g);
  assertNames('docs/firebase.md', 'Deploy from GitHub', workflow);
});

test('the API page has every request and every status', () => {
  const paths = [...Object.values(API_PATHS), ...Object.values(DESK_PATHS)].map((path) =>
    typeof path === 'function' ? path(':id') : path,
  );
  const documented = namesBelow('docs/api.md', 'Requests').map((name) => name.split(' ')[1]);
  const requests = paths.filter((path) => !path.includes('?')).map((path) => API_PREFIX + path);
  assert.deepEqual(new Set(documented), new Set(requests));
  const statuses = read('apps/functions/src/http/failures.ts').matchAll(/status: (\d+)/g);
  const known = new Set([...statuses].map(([, status]) => status));
  assert.deepEqual(namesBelow('docs/api.md', 'Failures'), [...known].toSorted());
});

test('README lists every command, the guides say when to give it, and each page gives only what there is', async () => {
  const commands = await readCommands();
  const inReadme = namesBelow('README.md', 'Run a vote').map((usage) => usage.toLowerCase());
  const usages = commands.map(({ usage }) => usage.replace(/[<>]/g, ''));
  assert.deepEqual(inReadme, usages);
  const commandIn = (code) => {
    const words = `${code.replace(CALL, '')} `;
    return commands.find(({ name }) => words.startsWith(`${name} `));
  };
  const named = GUIDES.flatMap(codeOf).map((code) => commandIn(code)?.name);
  assert.deepEqual(
    commands.map(({ name }) => name).filter((name) => !named.includes(name)),
    [],
  );
  const wrong = PAGES.flatMap((page) =>
    codeOf(page).filter((code) => {
      const { options } = commandIn(code) ?? {};
      if (!options) return CALL.test(code);
      const given = code.replace(CALL, '').match(/--[a-z-]+/g) ?? [];
      return given.some((option) => !options.includes(option));
    }),
  );
  assert.deepEqual(wrong, []);
});

/** What a page has between backquotes, and the lines of its blocks for a shell, without prompts and comments. */
function codeOf(page) {
  const blocks = read(page).matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm);
  const lines = [...blocks].flatMap(([, block]) => block.replaceAll('\\\n', ' ').split('\n'));
  const spans = [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
  return [...lines, ...spans].map((code) => code.replace(/ +[#|>].*/, '').trim());
}

/** Every command of `goty`, with its options: `nominees` is a group of three. */
async function readCommands() {
  const { Command } = createRequire(GOTY)('commander');
  let program;
  Command.prototype.parseAsync = async function parseNothing() {
    program = this;
  };
  await import(GOTY);
  const read = (command, parents) => {
    const path = [...parents, command.name()];
    if (command.commands.length > 0) return command.commands.flatMap((each) => read(each, path));
    const args = command.registeredArguments.map((argument) => `<${argument.name()}>`);
    const options = ['--help', ...command.options.map(({ long }) => long)];
    return [{ name: path.join(' '), usage: [...path, ...args].join(' '), options }];
  };
  return program.commands.flatMap((command) => read(command, []));
}

test('pnpm is called in one form, which asks nothing: by version 12 or, where P19 wants that, as in package.json', () => {
  const sources = '**/*.{ts,tsx,mjs,json,yaml,yml,md}';
  const files = find(sources, '{.ci,.devcontainer,.github,.vscode,deploy}/**/*').filter((path) =>
    statSync(join(ROOT, path)).isFile(),
  );
  const calls = files.flatMap((path) =>
    [...read(path).matchAll(/npx(?: -\S+)* pnpm(?:@[\d.]*\d)?/g)].map(([call]) => ({ path, call })),
  );
  const { packageManager } = JSON.parse(read('package.json'));
  const versionIn = (path) => (PINNED.includes(path) ? packageManager : 'pnpm@12');
  assert.deepEqual(
    calls.filter(({ path, call }) => call !== `npx -y ${versionIn(path)}`),
    [],
  );
  assert.ok(calls.length > 80, `${calls.length} calls`);
});

test('README has at most 900 words, and no picture of more than 1.2 MB', () => {
  assert.ok(read('README.md').trim().split(/\s+/).length <= 900);
  const large = find('docs/*.{webp,jpg}').filter((path) => statSync(join(ROOT, path)).size > 1.2e6);
  assert.deepEqual(large, []);
});

test('every link of every page leads to a file with content, and to a heading that it has', () => {
  const broken = PAGES.flatMap((page) => {
    const text = read(page).replace(/^```[\s\S]*?^```$/gm, '');
    const links = [...text.matchAll(/(?:\]\(|src(?:set)?=")([^)"\s]+)/g)].map(([, link]) => link);
    return links
      .filter((link) => !ELSEWHERE.test(link) && !leadsSomewhere(page, link))
      .map((link) => `${page}: ${link}`);
  });
  assert.deepEqual(broken, []);
});

test('every source file that a page names exists', () => {
  const files = find('{apps,packages,scripts}/**/*.{ts,tsx,mjs,css}');
  const gone = PAGES.flatMap((page) =>
    [...read(page).matchAll(/`(\w[\w./-]*\.(?:tsx?|mjs|css))`/g)]
      .filter(([, name]) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))
      .map(([, name]) => `${page}: ${name}`),
  );
  assert.deepEqual(gone, []);
});

test('every name that architecture.md gives is in the code, and in the file that it is said to be in', () => {
  const text = read('docs/architecture.md');
  const files = find('{apps,packages}/**/*.{ts,tsx}').filter((path) => !path.includes('.test.'));
  const sources = files.map((path) => ({ path: `/${path}`, code: read(path) }));
  const isIn = (name, file = '') =>
    sources.some(({ path, code }) => path.endsWith(file) && new RegExp(`\\b${name}\\b`).test(code));
  const names = [...text.matchAll(/`(\w+)(?:\(\))?`/g)].filter(([, name]) => !isIn(name));
  const places = text.matchAll(/`(\w+)`(?: (?:in|of) | \()`([\w./-]+\.tsx?)`/g);
  const misplaced = [...places].filter(([, name, file]) => !isIn(name, `/${file}`));
  assert.deepEqual(
    [...names, ...misplaced].map(([match]) => match),
    [],
  );
});

function leadsSomewhere(page, link) {
  const [path, anchor] = link.split('#');
  const file = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
  if (isEmpty(join(ROOT, file))) return false;
  return anchor === undefined || anchorsOf(read(file)).includes(anchor);
}

/** Also of what does not exist. */
function isEmpty(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() ? readdirSync(path).length === 0 : !stats?.size;
}

/** As GitHub makes them of headings. */
function anchorsOf(text) {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
