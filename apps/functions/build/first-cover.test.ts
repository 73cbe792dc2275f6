import { expect, test } from 'vitest';
import { serveApp } from '../testing/serve-app.ts';
import { readFirstCover } from './first-cover.ts';

async function firestore(body: string) {
  const paths: (string | undefined)[] = [];
  const { address } = await serveApp((request, response) => {
    paths.push(request.url);
    response.end(body);
  });
  return { address, paths };
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
