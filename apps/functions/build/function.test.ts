import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { setNominees } from '../src/acts/acts.ts';
import { createFirestoreStore } from '../src/firestore/store.ts';
import { SECURITY_HEADERS } from '../src/http/security-headers.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { refusal } from '../testing/api-server.ts';
import {
  firestoreHost,
  newProjectId,
  openFirestore,
  testWithFirestore,
} from '../testing/firestore.ts';
import { testFolder } from '../testing/folder.ts';
import { freePort } from '../testing/free-port.ts';
import { exchange, responseTo } from '../testing/http.ts';
import { start } from '../testing/process.ts';

/** The folder of the Function that `pnpm build` writes. */
const BUILT = resolve(import.meta.dirname, '../dist');
const FRAMEWORK = createRequire(import.meta.url).resolve('@google-cloud/functions-framework');

/** Starts the Function in the folder under the Functions framework, for the running test. */
async function startFramework(folder: string, environment: Record<string, string>) {
  // K_SERVICE as on Cloud Run.
  const all = { METADATA_SERVER_DETECTION: 'none', K_SERVICE: 'api', ...environment };
  const args = [join(FRAMEWORK, '../main.js'), '--target=api', `--port=${await freePort()}`];
  return start(all, args, { cwd: folder });
}

const readPackage = () => JSON.parse(readFileSync(join(BUILT, 'package.json'), 'utf8'));

test('F6 the deployed folder refers to no workspace, and each package is the one in the lockfile of the project', () => {
  const { dependencies, engines } = readPackage();
  expect(engines).toEqual({ node: '24' });
  // Without the framework, Google's build adds an old major version of its own.
  const needed = ['express', 'firebase-admin', '@google-cloud/functions-framework'];
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(needed));
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const file of globSync('**/*.{js,json}', { cwd: BUILT })) {
    expect(readFileSync(join(BUILT, file), 'utf8')).not.toMatch(/workspace:|@goty\//);
  }
  const [all, deployed] = [PROJECT_ROOT, BUILT].map((folder) =>
    parse(readFileSync(join(folder, 'pnpm-lock.yaml'), 'utf8')),
  );
  expect(Object.keys(deployed.packages).length).toBeGreaterThan(100);
  expect(all.packages).toEqual(deployed.packages);
  expect(all.snapshots).toEqual(deployed.snapshots);
  for (const name of Object.keys(dependencies)) {
    const tested = all.importers['apps/functions'];
    const pinned = deployed.importers['.'];
    expect(pinned.dependencies[name].version).toBe(tested.dependencies[name].version);
  }
  // A value for each parameter, so that a deploy asks for none.
  expect(readFileSync(join(BUILT, '.env'), 'utf8')).toMatch(/^([A-Z_]+=\S+\n)+$/);
});

testWithFirestore(
  'F6 F14 the folder alone, installed as Google does it, takes votes, and leaves none when it is ended',
  async () => {
    const folder = testFolder();
    cpSync(BUILT, folder, { recursive: true });
    const { packageManager } = readPackage();
    expect(packageManager).toMatch(/^pnpm@11\.\d+\.\d+$/);
    const installed = spawnSync('npx', ['-y', packageManager, 'install', '--prod'], {
      cwd: folder,
      // With it, pnpm installs exactly what the lockfile says.
      env: { ...process.env, CI: 'true' },
    });
    expect(installed.status).toBe(0);

    const projectId = newProjectId();
    const firestore = openFirestore(projectId);
    const nominee = buildNominee();
    await createFirestoreStore(firestore, console).change(setNominees([nominee]));
    const { address, stop } = await startFramework(folder, {
      FIRESTORE_EMULATOR_HOST: firestoreHost,
      GCLOUD_PROJECT: projectId,
    });
    const vote = async (path: string, type: string, body: string) => {
      const headers = { 'Content-Type': type };
      const response = await fetch(`${address}${path}`, { method: 'POST', body, headers });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      return [response.status, await response.json()];
    };

    // The framework would parse bodies before it calls us. Malformed ones come first, to prove that
    // even the first request gets our failure.
    for (const type of ['application/json', 'text/plain']) {
      const bad = [400, refusal(apiTexts.badBody)];
      expect(await vote('/goty/a', type, '{"a":')).toEqual(bad);
    }
    // On a busy machine the first read of Firestore takes longer than a visitor waits.
    await expect.poll(() => fetch(`${address}/goty`).then(({ ok }) => ok)).toBe(true);
    const counted = { ok: true, mensaje: apiTexts.counted(nominee.name) };
    expect(await vote('/goty/a', 'application/json', '{}')).toEqual([200, counted]);
    expect((await firestore.doc('goty/a').get()).get('votos')).toBe(1);
    expect((await firestore.collection('ballots').get()).size).toBe(1);
    // Two that go together leave their sum to the outbox.
    const two = [1, 2].map(() => vote('/goty/a', 'application/json', '{}'));
    expect(await Promise.all(two)).toEqual([
      [200, counted],
      [200, counted],
    ]);
    await stop();
    expect((await firestore.doc('goty/a').get()).get('votos')).toBe(3);
    for (const name of ['uncounted', 'fences']) {
      expect((await firestore.collection(name).get()).size).toBe(0);
    }
  },
);

test('B2 B3 B17 F7 a Function that cannot work refuses large bodies before they have arrived, with all headers', async () => {
  const wrong = { GCLOUD_PROJECT: 'demo-limits', VOTE_POLICY: 'nonsense' };
  const { address, port } = await startFramework(BUILT, wrong);
  const json = { 'Content-Type': 'application/json' };
  const large = { ...json, 'Content-Length': '30000000' };
  for (const [status, headers] of [
    // The first request of an instance too.
    [415, { ...large, 'Content-Encoding': 'gzip' }],
    [413, large],
    [413, { ...json, 'Transfer-Encoding': 'chunked' }],
  ] as const) {
    const sent = request({ port, method: 'POST', path: '/goty/a', headers });
    sent.on('error', () => {}); // the Function closes the connection
    sent.write(' '.repeat(64_000));
    const response = await responseTo(sent);
    expect([response.statusCode, response.headers.connection]).toEqual([status, 'close']);
    sent.destroy();
  }
  for (const [path, status] of Object.entries({ '/goty': 500, '/favicon.ico': 404 })) {
    const response = await fetch(`${address}${path}`);
    expect(response.status).toBe(status);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
      expect([name, response.headers.get(name)]).toEqual([name, value]);
    }
  }
  expect((await fetch(`${address}/goty?x=100%`)).status).toBe(500);
  const malformed = await fetch(`${address}/goty/%zz`, { method: 'POST' });
  expect([malformed.status, await malformed.json()]).toEqual([404, refusal(apiTexts.unknownGame)]);
  const { answer } = await exchange({ port, method: 'POST', path: '*' });
  expect(answer).toEqual([404, refusal(apiTexts.notFound)]);
});
