import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import express from 'express';
import { expect, test } from 'vitest';
import { testFolder } from '../../testing/folder.ts';
import { serveApp } from '../../testing/serve-app.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { serveCovers } from './covers.ts';

/** Serves a folder of covers for the running test. Resolves with a fetch on its origin. */
async function startCovers() {
  const folder = testFolder();
  for (const name of ['a.svg', 'b c.avif', 'd.webp', 'page.html', '.x.svg']) {
    writeFileSync(join(folder, name), '<svg onload="alert(1)"/>');
  }
  const outside = join(testFolder(), 'secret.svg');
  writeFileSync(outside, '<svg/>');
  symlinkSync(outside, join(folder, 'link.svg'));
  mkdirSync(join(folder, 'folder.svg'));
  spawnSync('mkfifo', [join(folder, 'pipe.svg')]);
  const { address } = await serveApp(express().use(securityHeaders, serveCovers(folder)));
  return (path: string, init?: RequestInit) => fetch(`${address}${path}`, init);
}

test.each([
  ['a.svg', 'image/svg+xml'],
  ['b%20c.avif', 'image/avif'],
  ['d.webp', 'image/webp'],
])('P15 the cover %s is served as an image that can do nothing', async (name, type) => {
  const get = await startCovers();
  const { headers, status } = await get(`/${name}`);
  expect([status, headers.get('content-type')]).toEqual([200, type]);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*; sandbox$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('public, max-age=3600');
});

test.each([
  'page.html',
  '.x.svg',
  '',
  'a.svg/',
  'a.svg%2f',
  '..%2fassets%2fmain-abc.js',
  '%00.svg',
  '%zz.svg',
  'folder.svg',
  'link.svg',
  'pipe.svg',
])('P15 the covers have no file %j', async (name) => {
  const get = await startCovers();
  const { headers, status } = await get(`/${name}`, { headers: { Accept: 'text/html' } });
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
});
