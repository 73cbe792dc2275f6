import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { DESK_PATHS, type DeskResponse, MAX_BROWSERS } from '@goty/shared/desk-protocol';
import type { VoteTimes } from '@goty/shared/vote-times';
import decodeQR from 'qr/decode.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setTimes } from '../src/acts/acts.ts';
import { changeDeskKeys, hashOf } from '../src/acts/desk-keys.ts';
import { openForOperator } from '../src/sqlite/database.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';
import { exchange } from '../testing/http.ts';
import { run } from '../testing/operator-homes.ts';
import { ENTRY, run as runNode, start } from '../testing/process.ts';
import { deskOrigin } from './commands/desk.ts';

const HOST = { host: 'localhost' };
const newKey = () => randomBytes(32).toString('base64url');

async function use<Result>(path: string, work: (store: VoteStore) => Promise<Result>) {
  const store = openForOperator(path);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Starts a server, with a browser that was let in to its desk. */
async function startDesk(DATABASE?: string, known?: string) {
  const server = await start(DATABASE === undefined ? {} : { DATABASE });
  const key = known ?? newKey();
  const call = async (method: string, path: string, sent?: object) => {
    const body = sent === undefined ? '' : JSON.stringify(sent);
    const headers = {
      ...HOST,
      authorization: `Bearer ${key}`,
      'content-length': Buffer.byteLength(body),
    };
    return exchange({ port: server.port, method, path: `/api${path}`, headers }, body);
  };
  const state = async (): Promise<DeskResponse> =>
    JSON.parse((await call('GET', DESK_PATHS.state)).body);
  return { ...server, call, key, state };
}

/** Prints a link, and resolves with its code. */
async function codeOf(DATABASE: string): Promise<string> {
  const { stdout } = await run({ DATABASE }, '.', 'desk');
  return /#mesa=(\S{22})\n/.exec(stdout)?.[1] ?? '';
}

test('D1 D2 `desk` prints a link that lets one browser in, `status` says how many there are, `--off` ends them', async () => {
  const { DATABASE, call, port, stop } = await startDesk();
  const said = await run({ DATABASE }, '.', 'desk');
  const link = `http://localhost:${port}/inicio#mesa=`;
  expect(said.stdout).toMatch(
    new RegExp(
      `^${link}\\S{22}\nIt works once, within 15 minutes\\. .*\nOpen it on this machine\\. .*\n$`,
    ),
  );
  const status = async () => (await run({ DATABASE }, '.', 'status')).stdout;
  expect(await status()).not.toContain('desk');
  const code = await codeOf(DATABASE);
  expect((await call('POST', DESK_PATHS.pair, { code })).status).toBe(200);
  expect(await status()).toContain('\n1 browser may run it from the desk.\n');
  expect((await run({ DATABASE }, '.', 'desk', '--off')).stdout).toBe(
    'Within 10 s, no browser and no link is let in anywhere.\n',
  );
  expect(await status()).not.toContain('desk');
  await expect.poll(async () => (await call('GET', DESK_PATHS.state)).status).toBe(401);
  await stop();
  const guessed = await run({ DATABASE }, '.', 'desk');
  expect(guessed.stdout).toContain(
    '\nOpen it on this machine, if a server listens at localhost:3000. ',
  );
});

test('D1 D2 with 20 browsers at the desk `desk` makes no link, and a server starts without one', async () => {
  const { DATABASE, stop } = await startDesk();
  await use(DATABASE, async (store) => {
    const since = Date.now();
    const devices = Array.from({ length: MAX_BROWSERS }, () => ({ hash: hashOf(newKey()), since }));
    await store.change(changeDeskKeys((keys) => ({ ...keys, devices })));
  });
  const refused =
    '20 browsers may run the vote already: end one of them at the desk, or all with `goty desk --off`.';
  expect(await run({ DATABASE }, '.', 'desk')).toMatchObject({
    status: 1,
    stderr: `${refused}\n`,
  });
  await stop();
  const terminal = 'data:text/javascript,process.stdout.isTTY = true';
  const again = runNode({ DATABASE }, ['--import', terminal, ENTRY]);
  for await (const line of createInterface(again.stdout)) if (line === refused) break;
  expect(await again.stop()).toBe(0);
});

const BLACK_ON_WHITE = '\x1b[38;5;16;48;5;231m';

/** Decodes what a terminal shows: its cells have two rows of pixels each. */
function scan(lines: readonly string[]): string {
  const scale = 4;
  const rows = lines.flatMap((line) => {
    expect(line.startsWith(BLACK_ON_WHITE)).toBe(true);
    const cells = stripVTControlCharacters(line);
    return ['▀█', '▄█'].map((dark) => [...cells].map((cell) => dark.includes(cell)));
  });
  const width = scale * (rows[0]?.length ?? 0);
  const height = scale * rows.length;
  const data = new Uint8ClampedArray(4 * width * height).fill(255);
  for (let at = 0; at < width * height; at += 1) {
    const x = Math.floor((at % width) / scale);
    const y = Math.floor(at / width / scale);
    if (rows[y]?.[x]) data.fill(0, 4 * at, 4 * at + 3);
  }
  // The quiet zone.
  const isDark = (row: readonly boolean[]) => row.includes(true);
  expect(rows.findIndex(isDark)).toBe(4);
  expect(rows.length - rows.findLastIndex(isDark)).toBeGreaterThan(4);
  expect(Math.min(...rows.filter(isDark).map((row) => row.indexOf(true)))).toBe(4);
  return decodeQR({ width, height, data });
}

test('D1 in a terminal, `desk` prints a QR code of a link that a phone can open', async () => {
  const { DATABASE, stop } = await startDesk();
  const { isTTY: wasTTY } = process.stdout;
  onTestFinished(() => void Object.assign(process.stdout, { isTTY: wasTTY }));
  const desk = async (PUBLIC_URL: string, isTTY: boolean) => {
    Object.assign(process.stdout, { isTTY });
    vi.stubEnv('PUBLIC_URL', PUBLIC_URL);
    return (await run({ DATABASE }, '.', 'desk')).stdout.split('\n').slice(0, -1);
  };
  const [link = '', ...lines] = await desk('https://vote.example', true);
  expect(link).toMatch(/^https:\/\/vote\.example\/inicio#mesa=\S{22}$/);
  expect(scan(lines.slice(0, -2))).toBe(link);
  // Elsewhere, the link is alone on its line.
  expect(await desk('https://vote.example', false)).toHaveLength(2);
  expect(await desk('http://192.0.2.7', true)).toHaveLength(3);
  await stop();
});

test('D1 in the cloud home the link leads to Hosting, and in the emulators there is none', async () => {
  const PUBLIC_URL = 'https://vote.example';
  expect(deskOrigin('goty-2026', { PUBLIC_URL })).toBe('https://goty-2026.web.app');
  expect(deskOrigin(undefined, { PUBLIC_URL, FIRESTORE_EMULATOR_HOST: 'x' })).toBe(PUBLIC_URL);
  expect(deskOrigin(undefined, { PUBLIC_URL: 'http://192.168.1.7' })).toBe('http://localhost:3000');
  expect(() => deskOrigin('demo-goty', { FIRESTORE_EMULATOR_HOST: '127.0.0.1:8080' })).toThrow(
    'The desk does not open in the emulators',
  );
});

test('D6 a server that is killed in the middle of an act of the desk has done it, or has not', async () => {
  const first = await startDesk();
  const { DATABASE, key } = first;
  await first.call('POST', DESK_PATHS.pair, { code: await codeOf(DATABASE) });
  const { now } = await first.state();
  await use(DATABASE, async (store) => {
    for (let group = 0; group < 10; group += 1) {
      const ballots = Array.from({ length: 2_000 }, (_, id) => ({
        id: `${group}-${id}`,
        game: 'hades-2',
        at: now - 60_000,
      }));
      await store.commit(ballots);
    }
  });
  const votes = { game: 'hades-2', from: now - 60_000, to: now - 59_000 };
  const acts: readonly (readonly [path: string, body: object])[] = [
    [DESK_PATHS.state, { frozenAt: 'now', endsAtClose: false }],
    [DESK_PATHS.void, votes],
    [DESK_PATHS.state, { closesAt: 'now' }],
    [DESK_PATHS.void, {}],
    [DESK_PATHS.state, { frozenAt: 'never' }],
  ];
  let server = first;
  const doneAgain = async ([path, body]: (typeof acts)[number]) => {
    const { acts, timesRevision } = await server.state();
    if (path === DESK_PATHS.state) return server.call('POST', path, { timesRevision, ...body });
    if (body === votes) return server.call('POST', path, body);
    // A void that was interrupted was completed by another act.
    const voids = acts.filter(({ left, what }) => what === 'void' && left !== undefined);
    for (const { id } of voids) await server.call('POST', path, { undoes: id });
    return server.call('POST', path, { undoes: 'none' });
  };
  for (const act of acts) {
    if (act === acts.at(-1)) {
      // The countdown is over.
      const close = (times: VoteTimes, at: number) => ({ ...times, closesAt: at - 1 });
      const { times: set } = await use(DATABASE, async (store) => {
        await store.change(setTimes(close, 'command'));
        return store.state();
      });
      await expect.poll(async () => (await server.state()).times.closesAt).toBe(set.closesAt);
    }
    const before = await use(DATABASE, (store) => store.record());
    const lost = doneAgain(act).catch(() => {});
    await expect
      .poll(async () => (await use(DATABASE, (store) => store.record())).length)
      .toBeGreaterThan(before.length);
    server.child.kill('SIGKILL');
    await Promise.all([lost, server.exit]);
    // It starts only if every sum is right.
    server = await startDesk(DATABASE, key);
    const { status } = await doneAgain(act);
    expect([200, 409]).toContain(status);
  }
  const { games, times, voided } = await server.state();
  expect(games.find(({ id }) => id === 'hades-2')?.votos).toBe(20_000);
  expect([times.frozenAt, voided]).toEqual([undefined, 0]);
  await server.stop();
  expect((await run({ DATABASE }, '.', 'audit')).stdout).toMatch(
    /^Recounted 20000 ballots: every sum is right\.\n/,
  );
});
