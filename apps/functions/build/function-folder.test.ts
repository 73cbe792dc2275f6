import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNominee } from '@goty/shared/testing/nominee';
import { apiTexts } from '@goty/shared/texts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { PROJECT_ROOT } from '../src/runtime/project-root.ts';
import {
  describeWithFirestore,
  firestoreHost,
  newProjectId,
  openFirestore,
} from '../testing/firestore.ts';
import { testFolder } from '../testing/folder.ts';
import { BUILT, startFramework } from '../testing/framework.ts';

test('F6 the deployed folder refers to no workspace, and pins its dependencies', () => {
  const { dependencies, engines } = JSON.parse(readFileSync(join(BUILT, 'package.json'), 'utf8'));
  expect(engines).toEqual({ node: '24' });
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(['express', 'firebase-admin']));
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  for (const file of globSync('**/*.{js,json}', { cwd: BUILT })) {
    expect(readFileSync(join(BUILT, file), 'utf8')).not.toMatch(/workspace:|@goty\//);
  }
});

test('F8 every package in the lockfile is the one in the lockfile of the project', () => {
  const [all, deployed] = [PROJECT_ROOT, BUILT].map((folder) =>
    parse(readFileSync(join(folder, 'pnpm-lock.yaml'), 'utf8')),
  );
  expect(Object.keys(deployed.packages).length).toBeGreaterThan(100);
  expect(all.packages).toMatchObject(deployed.packages);
  expect(all.snapshots).toMatchObject(deployed.snapshots);
  // Without it, Google's build adds an old major version of its own.
  expect(Object.keys(deployed.packages)).toContainEqual(
    expect.stringMatching(/^@google-cloud\/functions-framework@/),
  );
});

test('F6 every parameter has a value, so a deploy prompts for none', () => {
  expect(readFileSync(join(BUILT, '.env'), 'utf8').trim().split('\n')).toEqual([
    'REGION=us-central1',
    'MEMORY_MIB=512',
    'CONCURRENCY=1000',
    'MAX_INSTANCES=3',
    'VOTE_POLICY=unlimited',
    'SECONDS_BETWEEN_WRITES=1',
    'APP_CHECK=off',
    'CORS_ORIGINS=*',
  ]);
});

describeWithFirestore('with the Firestore emulator', () => {
  test('F6 F8 the folder alone, installed and started as Google does it, takes votes', async () => {
    const folder = testFolder();
    cpSync(BUILT, folder, { recursive: true });
    const installed = spawnSync('npx', ['-y', 'pnpm@12', 'install', '--prod'], {
      cwd: folder,
      // With it, pnpm installs exactly what the lockfile says.
      env: { ...process.env, CI: 'true' },
    });
    expect(installed.status).toBe(0);
    expect(packagesIn(PROJECT_ROOT)).toEqual(expect.arrayContaining(packagesIn(folder)));

    const projectId = newProjectId();
    const firestore = openFirestore(projectId);
    const nominee = buildNominee();
    const { setNominees } = createFirestoreStore({ firestore, log: console });
    await setNominees([nominee]);
    const { address } = await startFramework(folder, {
      FIRESTORE_EMULATOR_HOST: firestoreHost,
      GCLOUD_PROJECT: projectId,
    });
    const send = async (method: string, path: string, type: string, body?: string) => {
      const init = body === undefined ? {} : { body, headers: { 'Content-Type': type } };
      const response = await fetch(`${address}${path}`, { method, ...init });
      return [response.status, await response.json()];
    };

    // The framework would parse bodies before it calls us. Malformed ones come first, to prove that
    // even the first request gets our failure.
    const bad = { ok: false, mensaje: apiTexts.badBody };
    const large = { ok: false, mensaje: apiTexts.bodyTooLarge };
    const text = `"${'x'.repeat(1_024)}"`;
    expect(await send('POST', '/goty/a', 'application/json', '{"a":')).toEqual([400, bad]);
    expect(await send('POST', '/goty/a', 'application/json', '"a"')).toEqual([400, bad]);
    expect(await send('POST', '/goty/a', 'application/json', '[1]')).toEqual([400, bad]);
    expect(await send('POST', '/goty/a', 'text/plain', 'hola')).toEqual([400, bad]);
    expect(await send('POST', '/goty/a', 'application/json', `{"a":${text}}`)).toEqual([
      413,
      large,
    ]);
    expect(await send('POST', '/goty/a', 'text/plain', text)).toEqual([413, large]);

    const malformed = await fetch(`${address}/goty/a`, {
      method: 'POST',
      body: '{',
      headers: { 'Content-Type': 'application/json', Origin: 'https://a.example' },
    });
    expect(malformed.headers.get('access-control-allow-origin')).toBe('*');
    expect(malformed.headers.get('x-content-type-options')).toBe('nosniff');

    const nominees = [nominee];
    const counted = { ok: true, mensaje: apiTexts.counted(nominee.name) };
    expect(await send('GET', '/goty', '')).toEqual([200, nominees]);
    expect(await send('GET', '/api/goty', '')).toEqual([200, nominees]);
    expect(await send('POST', '/goty/a', 'application/json', '{}')).toEqual([200, counted]);
    expect(await send('POST', '/api/goty/a', '')).toEqual([200, counted]);
    expect((await firestore.doc('goty/a').get()).get('votos')).toBe(2);
    expect((await firestore.collection('ballots').get()).size).toBe(2);
  });
});

/** The name, version and peers of every installed package. */
function packagesIn(folder: string): string[] {
  return readdirSync(join(folder, 'node_modules/.pnpm')).filter((name) => name.includes('@'));
}
