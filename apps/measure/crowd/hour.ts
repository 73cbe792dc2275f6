import { setMaxListeners } from 'node:events';
import { mock } from 'node:test';
import { gzipSync } from 'node:zlib';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';
import { createLiveChoice } from '@goty/web/live-choice';
import { createServerPoll } from '@goty/web/server-poll';
import { openInstance } from '../base/cloud.ts';
import { createFirestoreOfMemory, FIRST_GAME } from './firestore-of-memory.ts';

const HOUR_MS = 3_600_000;
const STEP_MS = 50;
const GAMES = 10;
/** One is enough for 800 votes a second. Each further one adds its own writes and reads. */
const INSTANCES = 1;
/** Servers of the CDN. Each keeps its own copies. */
const EDGES = 20;
/** What a response takes besides its body, with compressed headers. */
const HEADER_BYTES = 250;

const realFetch = globalThis.fetch;

/**
 * Simulates an hour in which votes for every game arrive at every instance each second: the code of the
 * page that chooses its source, the app of the Function, and a cache with the rules of the CDN between them.
 *
 * @param viewers pages that show the chart all the time
 * @param listeners how many of them may listen
 */
export async function simulateHour(viewers: number, listeners: number) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  performance.now = () => Date.now();
  const browser = new EventTarget();
  setMaxListeners(0, browser);
  Object.assign(globalThis, { window: browser, document: browser });
  Object.assign(document, { visibilityState: 'visible' });
  const firestore = createFirestoreOfMemory(GAMES);
  await using instances = new AsyncDisposableStack();
  const addresses: string[] = [];
  for (let count = 0; count < INSTANCES; count += 1) {
    const share = Math.floor(listeners / INSTANCES);
    const options = { concurrency: 1_000, listeners: share };
    addresses.push(instances.use(await openInstance(firestore.store, options)).address);
  }
  const used = { requests: 0, leases: 0, polls: 0, pollBytes: 0, pushes: 0, oldest: 0 };
  const copies = new Map<string, { readonly until: number; readonly answer: Promise<string> }>();
  let underWay = 0;
  globalThis.fetch = async (path, init) =>
    new Response(await throughCdn(String(path), init?.method));

  const history: { readonly at: number; readonly total: number }[] = [];
  for (let page = 0; page < viewers; page += 1) setTimeout(openPage, Math.random() * 60_000);
  for (let at = 0; at < HOUR_MS; at += STEP_MS) {
    if (at % 1_000 === 0) for (const address of addresses) void vote(address);
    mock.timers.tick(STEP_MS);
    // What is real has to be over before time moves on.
    do await new Promise(setImmediate);
    while (underWay > 0);
    if (history.at(-1)?.total !== firestore.total()) {
      history.push({ at: Date.now(), total: firestore.total() });
    }
  }
  globalThis.fetch = realFetch;
  mock.timers.reset();
  return { ...used, reads: firestore.used.reads };

  function openPage() {
    const poll = createServerPoll(API_PREFIX);
    poll.watchStatus(() => {});
    const live = createLiveChoice({
      poll: poll.standings,
      async lease() {
        used.leases += 1;
        const response = await fetch(`${API_PREFIX}${API_PATHS.lease}`, { method: 'POST' });
        return Number((await response.json()).ms);
      },
      loadPush: async () => (listener) =>
        firestore.listen((games) => {
          used.pushes += 1;
          listener({ type: 'standings', standings: games });
        }),
    });
    live((event) => {
      if (event.type !== 'standings') throw new Error(`a page was told ${event.type}`);
      const told = event.standings.reduce((sum, { votos }) => sum + votos, 0);
      const missed = history.find(({ total }) => total > told);
      if (missed) used.oldest = Math.max(used.oldest, Date.now() - missed.at);
      while (history.length > 60) history.shift();
    });
  }

  /** Each request meets any server of the CDN, so pages also meet older answers than before. */
  async function throughCdn(path: string, method = 'GET'): Promise<string> {
    used.polls += 1;
    const key = `${Math.floor(Math.random() * EDGES)} ${path}`;
    let copy = copies.get(key);
    if (method !== 'GET' || !copy || copy.until <= Date.now()) {
      const response = ask(path, method);
      copy = { until: 0, answer: response.then(({ body }) => body) };
      const maxAge = /s-maxage=(\d+)/.exec((await response).caching)?.[1] ?? 0;
      copy = { ...copy, until: Date.now() + 1_000 * Number(maxAge) };
      copies.set(key, copy);
    }
    const body = await copy.answer;
    used.pollBytes += sizeOf(body);
    return body;
  }

  async function ask(path: string, method: string) {
    used.requests += 1;
    underWay += 1;
    try {
      const address = addresses[used.requests % INSTANCES];
      const response = await realFetch(`${address}${path}`, { method });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      const caching = response.headers.get('Cache-Control') ?? '';
      return { caching, body: await response.text() };
    } finally {
      underWay -= 1;
    }
  }

  async function vote(address: string) {
    underWay += 1;
    await realFetch(`${address}${API_PREFIX}${API_PATHS.vote(FIRST_GAME)}`, { method: 'POST' });
    underWay -= 1;
  }
}

const sizes = new Map<string, number>();

function sizeOf(body: string): number {
  const known = sizes.get(body);
  if (known !== undefined) return known;
  if (sizes.size > 1_000) sizes.clear();
  const size = gzipSync(body).length + HEADER_BYTES;
  sizes.set(body, size);
  return size;
}
