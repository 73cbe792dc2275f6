import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { FIRESTORE_EMULATOR } from '@goty/shared/protocol';
import { expect, test, vi } from 'vitest';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { testFolder } from '../testing/folder.ts';
import { readFirstCover } from './first-cover.ts';

/** Runs what `pnpm run predeploy` runs, with a turbo that only says what it would build. */
function predeploy(environment: Record<string, string>, workspace = '@goty/web') {
  const bin = testFolder();
  writeFileSync(join(bin, 'turbo'), '#!/bin/sh\necho "$VITE_ORIGIN $*" >&2\n');
  chmodSync(join(bin, 'turbo'), 0o755);
  const PATH = `${bin}${delimiter}${process.env.PATH}`;
  const script = join(PROJECT_ROOT, 'scripts/predeploy.mjs');
  return spawnSync(process.execPath, [script, workspace], {
    encoding: 'utf8',
    // No test reads from a real project.
    env: { PATH, VITE_COVER: '', ...environment },
  });
}

test('F6 firebase deploy builds the page and the Function itself', () => {
  const { hosting, functions } = readJson('firebase.json');
  expect(hosting.predeploy).toMatch(/ run predeploy @goty\/web$/);
  expect(functions.predeploy).toMatch(/ run predeploy @goty\/functions$/);
  expect(readJson('package.json').scripts.predeploy).toBe('node scripts/predeploy.mjs');
});

test('F7 the Firestore emulator listens at the address that the page uses, and no UI is downloaded', () => {
  const { firestore, ui } = readJson('firebase.json').emulators;
  expect(`${firestore.host}:${firestore.port}`).toBe(FIRESTORE_EMULATOR);
  expect(ui).toEqual({ enabled: false });
});

test.skipIf(process.platform === 'win32')('F6 the page is built for its project or origin', () => {
  expect(predeploy({ GCLOUD_PROJECT: 'my-vote' }).stderr).toMatch(
    /^https:\/\/my-vote\.web\.app run build .*--filter=@goty\/web\n$/,
  );
  const own = { GCLOUD_PROJECT: 'my-vote', VITE_ORIGIN: 'https://vote.example' };
  expect(predeploy(own).stderr).toMatch(/^https:\/\/vote\.example run build /);
  const empty = { GCLOUD_PROJECT: 'my-vote', VITE_ORIGIN: '' };
  expect(predeploy(empty).stderr).toMatch(/^https:\/\/my-vote\.web\.app /);
  const { status, stderr } = predeploy({});
  expect([status, stderr]).toEqual([1, expect.stringContaining('firebase deploy --project ID')]);
});

test.skipIf(process.platform === 'win32')(
  'F6 a deploy tells where it may fail, and a way out',
  () => {
    expect(predeploy({ GCLOUD_PROJECT: 'my-vote' }, '@goty/functions').stdout).toContain(
      "If Google's build fails at pnpm, see 'If the build fails' in docs/fi",
    );
  },
);

test('F12 Firestore indexes what the store asks for, and no text and no time', () => {
  const { fieldOverrides, indexes } = readJson('firestore.indexes.json');
  const ascending = [{ order: 'ASCENDING', queryScope: 'COLLECTION' }];
  const fields = Object.entries({
    ballots: { at: [], game: ascending, voided: ascending, act: ascending },
    record: { acts: [] },
    settings: { hidden: [] },
    goty: { writes: ascending, votos: [], name: [], url: [] },
    uncounted: { by: [], votes: [] },
    fences: { commits: [], hidden: [] },
  }).flatMap(([collectionGroup, indexesOf]) =>
    Object.entries(indexesOf).map(([fieldPath, indexes]) => ({
      collectionGroup,
      fieldPath,
      indexes,
    })),
  );
  expect(fieldOverrides).toEqual(expect.arrayContaining(fields));
  expect(fieldOverrides).toHaveLength(fields.length);
  // Of voided ballots alone, since no other one has an act.
  expect(indexes).toEqual(
    ['ASCENDING', 'DESCENDING'].map((order) => ({
      collectionGroup: 'ballots',
      queryScope: 'COLLECTION',
      fields: [
        { fieldPath: 'act', order: 'ASCENDING' },
        { fieldPath: 'at', order },
      ],
    })),
  );
});

test('P19 a deploy, the image and a release are built by the pnpm of package.json', () => {
  const { packageManager } = readJson('package.json');
  const workflows = ['deploy', 'release'].map((name) => `.github/workflows/${name}.yml`);
  for (const file of ['firebase.json', 'deploy/Dockerfile', ...workflows]) {
    const called = readText(file).match(/npx -y \S+/g);
    expect([file, new Set(called)]).toEqual([file, new Set([`npx -y ${packageManager}`])]);
  }
});

test('P19 every image and action that others publish is named by its digest', () => {
  const files = globSync(
    ['{deploy,.devcontainer}/Dockerfile', 'deploy/compose.yaml', '.github/workflows/*.yml'],
    { cwd: PROJECT_ROOT },
  );
  // What the operator names is theirs.
  const named = files.flatMap((file) =>
    [...readText(file).matchAll(/^ *(?:FROM|image:|- uses:) ([^\s$]\S*)/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(files).toContain('.devcontainer/Dockerfile');
  expect(named.length).toBeGreaterThan(10);
  const digest = /@(sha256:[\da-f]{64}|[\da-f]{40})$/;
  expect(named.filter((name) => !digest.test(name ?? ''))).toEqual([]);
});

function readText(name: string) {
  return readFileSync(join(PROJECT_ROOT, name), 'utf8');
}

function readJson(name: string) {
  return JSON.parse(readText(name));
}

test('W80 the page of a deploy preloads the first cover that the vote has then', async () => {
  const asked = vi.spyOn(globalThis, 'fetch');
  const coverIn = (body: string) => {
    asked.mockResolvedValueOnce(new Response(body));
    return readFirstCover('my-vote');
  };
  const body = { documents: [{ fields: { url: { stringValue: '/covers/a.svg' } } }] };
  expect(await coverIn(JSON.stringify(body))).toBe('/covers/a.svg');
  const documents = 'projects/my-vote/databases/(default)/documents/goty';
  expect(asked).toHaveBeenLastCalledWith(
    `https://firestore.googleapis.com/v1/${documents}?pageSize=1&mask.fieldPaths=url`,
    expect.anything(),
  );
  for (const none of ['{}', '{"error": {"code": 403}}', '{"documents": [{}]}', '<html>']) {
    expect(await coverIn(none)).toBe('');
  }
  asked.mockRejectedValueOnce(new Error('no connection'));
  expect(await readFirstCover('my-vote')).toBe('');
});
