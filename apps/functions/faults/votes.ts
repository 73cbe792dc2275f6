import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { responseTo } from '../testing/http.ts';

/** The game of every vote that names no other. */
export const GAME = 'a';
/** Longer than the server's own deadline: it gets to answer. */
const PATIENCE_MS = 15_000;
const RETRY_PAUSE_MS = 20;
/** How long all keys may take to be acknowledged once the fault is over. */
const RETRY_MS = 90_000;
const RETRY_CONNECTIONS = 64;
/** Answers that promise nothing and tell the client to come back. */
const EXPECTED = new Set([200, 503]);

export interface Votes {
  /** Sends a vote. Resolves with the status, or `undefined` without a response. */
  send(key: string, game?: string): Promise<number | undefined>;
  /** Sends that many votes with keys of their own at once. Resolves with their statuses. */
  sendAtOnce(count: number, game?: string): Promise<(number | undefined)[]>;
  /** Votes without a pause on that many connections. Returns a function that ends it. */
  pour(connections: number): () => Promise<void>;
  /** A new key that counts as sent, for a request that the scenario makes itself. */
  newKey(game?: string): string;
  /** Every key loses its acknowledgement: the operator has destroyed its vote. */
  forgetAcknowledged(): void;
  /** Sends every key without an acknowledgement again, until it has one. Gives up after 90 s. */
  retry(): Promise<void>;
  /** S and A. */
  counts(): { readonly sent: number; readonly acknowledged: number };
  /** Responses that a fault of the store or the network does not explain. */
  oddities(): string[];
}

/**
 * Sends votes and remembers what became of each key.
 *
 * @param addressOf the address of the API for the next vote
 * @param allowed further statuses that the scenario expects
 */
export function createVotes(addressOf: () => string, allowed: readonly number[]): Votes {
  const agent = new Agent({ keepAlive: true });
  const sent = new Map<string, { readonly game: string; isAcknowledged: boolean }>();
  const odd = new Set<string>();

  return {
    send,
    sendAtOnce: (count, game) =>
      Promise.all(Array.from({ length: count }, () => send(newKey(game), game))),
    pour(connections) {
      let isOver = false;
      const connected = Array.from({ length: connections }, async () => {
        while (!isOver) if ((await send(newKey())) !== 200) await wait(RETRY_PAUSE_MS);
      });
      return async () => {
        isOver = true;
        await Promise.all(connected);
      };
    },
    newKey,
    forgetAcknowledged() {
      for (const key of sent.values()) key.isAcknowledged = false;
    },
    async retry() {
      const deadline = performance.now() + RETRY_MS;
      const open = [...sent].filter(([, { isAcknowledged }]) => !isAcknowledged).values();
      const retrying = Array.from({ length: RETRY_CONNECTIONS }, async () => {
        for (const [key, { game }] of open) {
          while ((await send(key, game)) !== 200 && performance.now() < deadline) {
            await wait(RETRY_PAUSE_MS);
          }
        }
      });
      await Promise.all(retrying);
      agent.destroy();
    },
    counts: () => ({
      sent: sent.size,
      acknowledged: sent
        .values()
        .filter(({ isAcknowledged }) => isAcknowledged)
        .toArray().length,
    }),
    oddities: () => [...odd],
  };

  function newKey(game = GAME): string {
    const key = `key-${sent.size}`;
    sent.set(key, { game, isAcknowledged: false });
    return key;
  }

  async function send(key: string, game = GAME): Promise<number | undefined> {
    const vote = sent.get(key) ?? { game, isAcknowledged: false };
    sent.set(key, vote);
    const response = await post(`${addressOf()}/goty/${game}`, key);
    if (!response) return undefined;
    const { status, body } = response;
    if (status === 200) vote.isAcknowledged = true;
    const isExpected = EXPECTED.has(status) || allowed.includes(status);
    if (!isExpected || !/^\{"ok":(true|false),"mensaje":"[^"]+"\}$/.test(body)) {
      odd.add(`${status} ${body.slice(0, 200)}`);
    }
    return status;
  }

  /** Resolves with `undefined` if the connection fails or nothing comes. */
  async function post(url: string, key: string) {
    try {
      const sent = request(url, {
        agent,
        method: 'POST',
        headers: { [IDEMPOTENCY_KEY]: key },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      sent.end();
      const response = await responseTo(sent);
      return { status: response.statusCode ?? 0, body: await text(response) };
    } catch {
      return undefined;
    }
  }
}
