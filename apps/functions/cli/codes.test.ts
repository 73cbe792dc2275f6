import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readVotingCode } from '@goty/shared/voting-code';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ballotIdOfCode, statusOfCode } from '../src/acts/voting-codes.ts';
import { HOMES, learning, openVote } from '../testing/operator-homes.ts';
import { codeSheet } from './code-sheet.ts';

const ORIGIN = 'https://vote.example';

/** An open vote with codes, and what is known of these. */
async function openWithCodes(home: Parameters<typeof openVote>[0]) {
  // `run` puts back all that was stubbed.
  process.env.PUBLIC_URL = ORIGIN;
  onTestFinished(() => void delete process.env.PUBLIC_URL);
  const vote = await openVote(home, { a: [] });
  const { done, folder, use } = vote;
  const said = await done('codes', '--make', '5', '--out', 'k.csv');
  const [head, ...rows] = readFileSync(join(folder, 'k.csv'), 'utf8').trim().split('\n');
  const codes = rows.map((row) => readVotingCode(row.split(';')[0] ?? '') ?? '');
  const known = async () => {
    const state = await use((store) => store.state());
    if (!state.codeKey) throw new Error('there are no codes');
    return { known: state.codeKey, voteId: state.voteId };
  };
  const cast = async (some: readonly string[]) => {
    const { known: now, voteId } = await known();
    const ballots = some.map((code, at) => ({
      id: ballotIdOfCode(now, voteId, code),
      game: 'a',
      at,
    }));
    return use((store) => store.commit(ballots));
  };
  return { ...vote, cast, codes, head, known, rows, said };
}

test.each(HOMES)(
  'O21 codes are made, counted, revoked and ended, in $name',
  async ({ home, isMissing }) => {
    if (isMissing) return;
    vi.setConfig({ testTimeout: 60_000 });
    const { cast, codes, done, folder, head, known, rows, said, says } = await openWithCodes(home);
    expect(said).toMatch(/^Wrote 5 codes to \S+k\.csv, and a sheet to print to \S+k\.html\.\n/);
    for (const name of ['k.csv', 'k.html'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(head).toBe('code;link');
    expect(rows[0]).toMatch(/^(\S{19});https:\/\/vote\.example\/goty#codigo=\1$/);
    const { known: now } = await known();
    expect(codes.map((code) => statusOfCode(now, code))).toEqual(Array(5).fill('valid'));

    await cast(codes.slice(0, 2));
    expect(await done('status')).toContain('2 of 5 codes have voted.\n');
    expect(JSON.parse(await done('status', '--json'))).toMatchObject({
      codes: { made: 5, voted: 2 },
    });
    // A code whose vote is voided has voted.
    await done('void', '--from', '1970-01-01T00:00Z', '--to', '1970-01-01T00:01Z', '--yes');
    expect(await done('status')).toContain('2 of 5 codes have voted.\n');
    expect(await says('audit')).not.toContain('Only');
    expect(await done('traffic')).toContain('each of these votes has a code of its own');
    expect(await done('record')).toContain('command: codes: 5 codes');

    expect(await says('codes', '--revoke', 'x', '--yes')).toMatch(/^1: A code has 16 /);
    expect(await says('codes', '--revoke', '0'.repeat(16), '--yes')).toMatch(/^1: There is no /);
    const code = codes[4] ?? '';
    expect(await says('codes', '--revoke', code)).toMatch(/^1: End that code, .* Nothing was/);
    expect(statusOfCode((await known()).known, code)).toBe('valid');
    expect(await done('codes', '--revoke', code, '--yes')).toBe('It votes nowhere any more.\n');
    expect(await done('codes')).toBe('5 codes made, 1 of them revoked.\n');

    await done('codes', '--save-key', 'key.txt');
    expect(statSync(join(folder, 'key.txt')).mode & 0o777).toBe(0o600);
    await done('export', 'vote.ndjson');
    const exported = readFileSync(join(folder, 'vote.ndjson'), 'utf8');
    for (const secret of [now.key, ...codes]) expect(exported).not.toContain(secret);
    expect(await done('reset', 'reset.ndjson', '--yes')).toContain('Its codes can vote again: ');
    expect(await done('status')).toContain('0 of 5 codes have voted.\n');
    expect(await says('codes', '--end')).toMatch(/^1: End all codes\?/);
    await done('codes', '--end', '--yes');
    expect(await done('status')).not.toContain('codes have voted');
    expect(await says('codes')).toMatch(/^1: There are no codes/);
    writeFileSync(join(folder, 'other.txt'), 'x');
    expect(await says('codes', '--use-key', 'other.txt')).toMatch(/^1: That is no file of /);
    await done('codes', '--use-key', 'key.txt');
    expect(await done('codes')).toBe('5 codes made, 1 of them revoked.\n');
  },
);

const [{ home: openStandalone }] = HOMES as [(typeof HOMES)[0], ...typeof HOMES];

test('O21 codes replace no file, and none is made that could not be written', async () => {
  const { done, folder, says } = await openWithCodes(openStandalone);
  const before = readFileSync(join(folder, 'k.csv'), 'utf8');
  const exists = /^1: \S+ exists: name another file\.\n$/;
  expect(await says('codes', '--make', '5', '--out', 'k.csv')).toMatch(exists);
  writeFileSync(join(folder, 'l.html'), 'a page');
  expect(await says('codes', '--make', '5', '--out', 'l.csv')).toMatch(exists);
  expect(existsSync(join(folder, 'l.csv'))).toBe(false);
  expect(readFileSync(join(folder, 'l.html'), 'utf8')).toBe('a page');
  expect(readFileSync(join(folder, 'k.csv'), 'utf8')).toBe(before);
  await done('codes', '--end', '--yes');
  expect(await says('codes', '--make', '5', '--out', 'none/k.csv')).toMatch(
    /^1: \S+ cannot be written: /,
  );
  expect(await done('codes')).toBe('0 codes made, 0 of them revoked.\n');
  for (const number of ['0', '1.5', '100001', 'x'])
    expect(await says('codes', '--make', number)).toMatch(/^2: .*from 1 to 100000/);
});

test('O21 without an address that others can open no codes are made', async () => {
  const { says } = await openVote(openStandalone, { a: [] });
  expect(await says('codes', '--make', '2')).toMatch(/^1: Set PUBLIC_URL /);
});

test('O21 a revoked code takes its vote along, and nothing tells for which game that was', async () => {
  const { cast, codes, done, use } = await openWithCodes(openStandalone);
  await cast(codes);
  const others = ['x', 'y'].map((id) => ({ id, game: 'b', at: 5 }));
  await use((store) => store.commit(others));
  expect(await done('audit')).toContain('Only 5 codes were made: others voted without');
  const said = await done('codes', '--revoke', codes[0] ?? '', '--yes');
  expect(said).toBe('It votes nowhere any more, and its vote is voided.\n');
  expect((await use((store) => store.games())).map(({ votos }) => votos)).toEqual([4, 2]);
  expect((await done('record')).split('\n').slice(-3).join('\n')).not.toMatch(/\ba\b/);
});

test('O21 V18 a vote that a server counts because it has not heard of it yet is voided with its code', async () => {
  const { cast, codes, done, use } = await openWithCodes(openStandalone);
  vi.spyOn(learning, 'wait').mockImplementationOnce(
    async () => void (await cast(codes.slice(0, 1))),
  );
  await done('codes', '--revoke', codes[0] ?? '', '--yes');
  expect((await use((store) => store.games())).map(({ votos }) => votos)).toEqual([0, 0]);
  expect(await done('status')).toContain('1 of 5 codes have voted.\n');
});

test('O21 of two acts at once neither is done', async () => {
  const { done, says } = await openWithCodes(openStandalone);
  expect(await says('codes', '--save-key', 'key.txt', '--end', '--yes')).toMatch(
    /^2: .*cannot be used with/,
  );
  expect(await says('codes', '--make', '1', '--end', '--yes')).toMatch(/^2: /);
  expect(await done('codes')).toBe('5 codes made, 0 of them revoked.\n');
});

test('O21 what was revoked since is learned by the same key', async () => {
  const { codes, done, folder } = await openWithCodes(openStandalone);
  await done('codes', '--save-key', 'early.txt');
  await done('codes', '--revoke', codes[0] ?? '', '--yes');
  await done('codes', '--save-key', 'late.txt');
  await done('codes', '--end', '--yes');
  await done('codes', '--use-key', 'early.txt');
  expect(await done('codes')).toContain(' 0 of them revoked');
  const saved = readFileSync(join(folder, 'late.txt'), 'utf8');
  // As a program of Windows may leave it.
  writeFileSync(join(folder, 'late.txt'), saved.replace('\n', '\r\n'));
  await done('codes', '--use-key', 'late.txt');
  expect(await done('codes')).toContain(' 1 of them revoked');
});

test('O21 each ticket of the sheet has its code, its QR code and where to type it', () => {
  const codes = ['0A1B2C3D4E5F6G7H', 'ZZZZYYYYXXXXWWWW'];
  const sheet = codeSheet(ORIGIN, codes, 'Premios <2026>');
  expect(sheet.match(/<article>/g)).toHaveLength(2);
  expect(sheet.match(/<svg viewBox="-4 -4 (\d+) \1"/g)).toHaveLength(2);
  expect(sheet).toContain('<p class="code">0A1B-2C3D-4E5F-6G7H</p>');
  expect(sheet).toContain('en vote.example/goty<');
  expect(sheet).toContain('Premios &lt;2026');
});
