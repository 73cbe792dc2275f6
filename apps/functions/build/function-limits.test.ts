import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { apiTexts } from '@goty/shared/texts';
import { expect, onTestFinished, test } from 'vitest';
import { SECURITY_HEADERS } from '../src/http/security-headers.ts';
import { BUILT, startFramework } from '../testing/framework.ts';

const MIB = 1024 * 1024;
/** Half of what an instance has by default (MEMORY_MIB). One inflated bomb alone is more. */
const MAX_PEAK_MIB = 256;

const LARGE = Buffer.alloc(30_000_000, ' ');
/** About 300 kB. */
const BOMB = gzipSync(Buffer.alloc(300_000_000));

test('B4 the Function refuses large, chunked and encoded bodies without buffering them', async () => {
  // The collector runs as if the machine had no more memory than an instance.
  const { child, port, address } = await startFramework(BUILT, {
    GCLOUD_PROJECT: 'demo-limits',
    NODE_OPTIONS: '--max-old-space-size=256',
  });
  const post = (headers: readonly string[], body: Buffer) =>
    sendBody(port, ['Content-Type: application/json', ...headers], body);
  const withLength = () => post([`Content-Length: ${LARGE.length}`], LARGE);
  const chunk = Buffer.concat([Buffer.from(`${LARGE.length.toString(16)}\r\n`), LARGE]);
  const chunked = () => post(['Transfer-Encoding: chunked'], chunk);
  const bomb = () => post(['Content-Encoding: gzip', `Content-Length: ${BOMB.length}`], BOMB);

  const tooLarge = [413, { ok: false, mensaje: apiTexts.bodyTooLarge }];
  const encoded = [415, { ok: false, mensaje: apiTexts.unsupportedMedia }];
  // The first request of an instance too.
  expect(await bomb()).toEqual(encoded);
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => [withLength(), chunked(), bomb()]).flat(),
  );
  expect(replies.filter((_, index) => index % 3 < 2)).toEqual(Array(16).fill(tooLarge));
  expect(replies.filter((_, index) => index % 3 === 2)).toEqual(Array(8).fill(encoded));
  const malformed = Buffer.alloc(30_000_000, '{');
  expect(await post([`Content-Length: ${malformed.length}`], malformed)).toEqual(tooLarge);

  expect(child.exitCode).toBeNull();
  expect((await fetch(`${address}/nothing`)).status).toBe(404);
  const peak = peakMib(child.pid);
  console.info(`Peak memory of the Function: ${peak ?? '?'} MiB`);
  expect(peak ?? 0).toBeLessThan(MAX_PEAK_MIB);
});

test('F7 every response of the Function has the security headers, even its own failure', async () => {
  const { address } = await startFramework(BUILT, {
    GCLOUD_PROJECT: 'demo-limits',
    VOTE_POLICY: 'nonsense',
  });
  for (const [path, status] of [
    ['/goty', 500],
    ['/favicon.ico', 404],
  ] as const) {
    const response = await fetch(`${address}${path}`);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject(
      Object.fromEntries(
        Object.entries(SECURITY_HEADERS).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    );
  }
});

/**
 * Votes with that body. Resolves with the response, after the rest of the body was sent regardless.
 */
async function sendBody(port: number, headers: readonly string[], body: Buffer) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}); // the server closes the connection before it has all
  socket.write(['POST /goty/a HTTP/1.1', 'Host: a', ...headers, '', ''].join('\r\n'));
  socket.write(body.subarray(0, 64_000));
  let received = '';
  socket.setEncoding('utf8').once('data', (data: string) => {
    received = data;
    socket.write(body.subarray(64_000));
  });
  await new Promise((resolve) => socket.once('close', resolve));
  const [head = '', json = ''] = received.split('\r\n\r\n');
  return [Number(head.split(' ')[1]), JSON.parse(json || 'null')];
}

/** The most memory that the process has ever had, or `undefined` where the system does not tell. */
function peakMib(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8')) ?? [];
  return Math.round((Number(kib) * 1024) / MIB);
}
