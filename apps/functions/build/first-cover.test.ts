import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { portOf } from '../src/standalone/http-server.ts';
import { readFirstCover } from './first-cover.ts';

async function firestore(body: string) {
  const paths: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url);
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${portOf(server)}`, paths };
}

test('W82 the page of a deploy preloads the first cover that the vote has then', async () => {
  const body = { documents: [{ fields: { url: { stringValue: '/covers/a.svg' } } }] };
  const { address, paths } = await firestore(JSON.stringify(body));
  expect(await readFirstCover('my-vote', address)).toBe('/covers/a.svg');
  expect(paths).toEqual([
    '/v1/projects/my-vote/databases/(default)/documents/goty?pageSize=1&mask.fieldPaths=url',
  ]);
});

test.each(['{}', '{"error": {"code": 403}}', '{"documents": [{}]}', '<html>'])(
  'W82 a deploy preloads no cover if Firestore responds %s',
  async (body) => {
    const { address } = await firestore(body);
    expect(await readFirstCover('my-vote', address)).toBe('');
  },
);
