import { apiTexts } from '@goty/shared/texts';
import { formatVotingCode } from '@goty/shared/voting-code';
import { expect, test, vi } from 'vitest';
import {
  type ApiServerOptions,
  HADES,
  LIVE,
  refusal,
  startApiServer,
} from '../../testing/api-server.ts';
import { patientClock } from '../../testing/clock.ts';
import { changeBallots } from '../acts/acts.ts';
import { endCodes, makeCodes, revokeCode } from '../acts/voting-codes.ts';

async function startWithCodes(options: ApiServerOptions = {}) {
  const server = await startApiServer({ policy: 'one-per-code', ...options });
  const [code = '', other = ''] = await makeCodes(server.sqlite, 2);
  await server.view.newest();
  const post = (path: string, body: object, headers = {}) =>
    server.send('POST', path, headers, JSON.stringify(body));
  return {
    ...server,
    code,
    other,
    vote: (game: string, body: object) => post(`/api/goty/${game}`, body),
    check: (code?: string, headers = {}) => post('/api/code', { code }, headers),
  };
}

const wrongDigit = (code: string) => code.replace(/^./, (digit) => (digit === '7' ? '8' : '7'));

test('V17 each code has one vote, from whatever browser, which it can change', async () => {
  const { code, other, vote, votos } = await startWithCodes();
  const counted = { ok: true, mensaje: apiTexts.counted(HADES.name) };
  const first = await vote(HADES.id, { code: formatVotingCode(code) });
  expect(first.answer).toEqual([200, { ...counted, votedAt: expect.any(Number) }]);
  expect(first.headers['set-cookie']).toBeUndefined();
  const { votedAt } = JSON.parse(first.body);
  // Another browser types it, in lower case.
  const again = { ...counted, votedFor: HADES.id, votedAt };
  expect((await vote(HADES.id, { code: code.toLowerCase() })).answer).toEqual([200, again]);
  const refused = refusal(apiTexts.codeUsedFor(HADES.name));
  const used = { ...refused, votedFor: HADES.id, votedAt };
  expect((await vote(LIVE.id, { code })).answer).toEqual([409, used]);
  expect(await votos()).toEqual({ 'hades-2': 1, live: 0 });
  expect((await vote(LIVE.id, { code, replaces: votedAt })).status).toBe(200);
  expect((await vote(LIVE.id, { code: other })).status).toBe(200);
  expect(await votos()).toEqual({ 'hades-2': 0, live: 2 });
});

test('V18 nothing that is stored or logged has a code', async () => {
  const { code, sqlite, store, vote, log } = await startWithCodes();
  const printed = formatVotingCode(code);
  await vote(HADES.id, { code: printed });
  await vote(HADES.id, { code: wrongDigit(code) });
  vi.spyOn(store, 'commit').mockRejectedValueOnce(new Error('the disk is full'));
  expect((await vote(LIVE.id, { code: printed })).status).toBe(503);
  const known: unknown[] = [await sqlite.state(), await sqlite.record(), log.lines];
  for await (const ballot of sqlite.ballots()) known.push(ballot);
  expect(known).toHaveLength(4);
  expect(log.lines.length).toBeGreaterThan(0);
  expect(JSON.stringify(known).replaceAll('-', '')).not.toContain(code);
});

test('V17 without a code, with a wrong one, and with one that has ended no vote counts', async () => {
  const { code, other, sqlite, view, vote, votos, calls } = await startWithCodes();
  const wrong = [403, refusal(apiTexts.codeWrong)];
  const ended = [403, refusal(apiTexts.codeEnded)];
  expect((await vote(HADES.id, {})).answer).toEqual([403, refusal(apiTexts.codeNeeded)]);
  for (const text of ['', 'x', 5, [[code]], { toString: 1 }, `${code}0`, wrongDigit(code)])
    expect((await vote(HADES.id, { code: text })).answer).toEqual(wrong);
  await sqlite.change(revokeCode(code));
  await view.newest();
  expect((await vote(HADES.id, { code })).answer).toEqual(ended);
  await sqlite.change(endCodes());
  await view.newest();
  expect((await vote(HADES.id, { code: other })).answer).toEqual(wrong);
  expect(await votos()).toEqual({ 'hades-2': 0, live: 0 });
  expect(calls().commit).toBe(0);
});

test('V17 S10 whose game was removed votes again with the same code', async () => {
  const { code, sqlite, vote, votos } = await startWithCodes();
  const { body, headers } = await vote(HADES.id, { code });
  const { votedAt: replaces } = JSON.parse(body);
  for await (const ballot of sqlite.ballots()) await sqlite.change(changeBallots([ballot], 'gone'));
  const { voteId: votedIn } = await sqlite.state();
  const earlier = { replaces, votedIn, votedAs: headers['voter-tag'] };
  expect((await vote(LIVE.id, { code, ...earlier })).status).toBe(200);
  expect(await votos()).toEqual({ 'hades-2': 0, live: 1 });
});

test('V18 no answer that anybody can read has the key', async () => {
  const { code, sqlite, send, vote } = await startWithCodes();
  await vote(HADES.id, { code });
  const { key = '' } = (await sqlite.state()).codeKey ?? {};
  expect(key).toHaveLength(64);
  for (const path of ['/api/standings', '/api/goty', '/api/health'])
    expect((await send('GET', path)).body).not.toContain(key);
});

test('V19 a browser asks whether its code is valid; nothing is said of its vote', async () => {
  const { check, code, vote } = await startWithCodes();
  expect((await check()).answer).toEqual([403, refusal(apiTexts.codeNeeded)]);
  expect((await check('0000-0000-0000-0000')).answer).toEqual([403, refusal(apiTexts.codeWrong)]);
  const before = await check(code);
  expect(before.answer).toEqual([200, { ok: true, mensaje: apiTexts.codeValid }]);
  expect(before.headers['cache-control']).toBe('private, no-store');
  await vote(HADES.id, { code });
  expect((await check(code)).answer).toEqual(before.answer);
  const elsewhere = await check(code, { 'Sec-Fetch-Site': 'cross-site' });
  expect(elsewhere.status).toBe(403);
});

test('V19 V9 an address asks for no more codes in a minute than it may send votes', async () => {
  const { check, code } = await startWithCodes({ votesPerMinute: 3, clock: patientClock });
  for (const text of ['a', 'b', 'c']) expect((await check(text)).status).toBe(403);
  expect((await check(code)).status).toBe(429);
});

test('V17 no cookie comes with the list, and pages are told that a vote needs a code; other votes have none', async () => {
  const { send } = await startWithCodes();
  expect((await send('GET', '/api/goty')).headers['set-cookie']).toBeUndefined();
  const { body } = await send('GET', '/api/standings');
  expect(JSON.parse(body)).toMatchObject({ onePerVisitor: true, needsCode: true });
  const other = await startApiServer();
  expect((await other.send('POST', '/api/code', {}, '{}')).status).toBe(404);
  expect((await other.send('GET', '/api/standings')).body).not.toContain('needsCode');
});
