import { setTimeout as wait } from 'node:timers/promises';
import { IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { until } from './until.ts';

/** The game of every vote that names no other. */
export const GAME = 'a';
/** Longer than the server's own deadline: it gets to answer. */
const PATIENCE_MS = 15_000;
/** Each vote that fails meanwhile has to be sent again afterwards. */
const RETRY_PAUSE_MS = 200;
const RETRIES_AT_ONCE = 400;
const ANSWER = /^\{"ok":(true|false),"mensaje":"[^"]+"\}$/;

export type Votes = ReturnType<typeof createVotes>;

/**
 * Sends votes and remembers what became of each key.
 *
 * @param addressOf the address of the API for the next vote
 * @param allowed a further status that the scenario expects
 * @param pauseMs how long each connection waits between two votes
 */
export function createVotes(addressOf: () => string, allowed: number, pauseMs: number) {
  const gamesByKey = new Map<string, string>();
  const acknowledged = new Set<string>();
  const odd = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  // 503 promises nothing and tells the client to come back.
  const expected = [200, 503, allowed];

  return {
    newKey,
    send,
    /** Sends that many votes with keys of their own at once. Resolves with their statuses. */
    sendAtOnce: (count: number, game?: string) =>
      Promise.all(Array.from({ length: count }, () => send(newKey(game)))),
    /** Votes on that many connections. Returns a function that ends it. */
    pour(connections: number) {
      let isOver = false;
      const connected = Array.from({ length: connections }, async () => {
        while (!isOver) await wait((await send()) === 200 ? pauseMs : RETRY_PAUSE_MS);
      });
      return async () => {
        isOver = true;
        await Promise.all(connected);
      };
    },
    /** Resolves once all votes that were sent before have been answered, or never will be. */
    untilAnswered: () => Promise.all([...underWay]),
    /** Resolves once that many more votes were acknowledged. Rejects after two minutes. */
    async untilCounted(more = 1) {
      const wanted = acknowledged.size + more;
      await until(() => acknowledged.size >= wanted, 'votes count');
    },
    /** The scenario has sent this key itself, and read the answer. */
    acknowledge: (key: string) => void acknowledged.add(key),
    /** Every key loses its acknowledgement: the operator has destroyed its vote. */
    forgetAcknowledged: () => acknowledged.clear(),
    /** Sends every key without an acknowledgement again, until it has one. Rejects after two minutes. */
    async retry() {
      const open = [...gamesByKey.keys()].filter((key) => !acknowledged.has(key));
      const count = (key: string) => until(async () => (await send(key)) === 200, `${key} counts`);
      while (open.length > 0) await Promise.all(open.splice(0, RETRIES_AT_ONCE).map(count));
    },
    sent: () => gamesByKey.size,
    acknowledged: () => acknowledged.size,
    /** Responses that a fault of the store or the network does not explain. */
    oddities: () => [...odd],
  };

  /** A new key that counts as sent, for a request that the scenario makes itself. */
  function newKey(game = GAME): string {
    const key = `key-${gamesByKey.size}`;
    gamesByKey.set(key, game);
    return key;
  }

  /** Sends a vote. Resolves with the status, or `undefined` without a response. */
  async function send(key = newKey()): Promise<number | undefined> {
    const answer = ask(key);
    underWay.add(answer);
    const status = await answer;
    underWay.delete(answer);
    return status;
  }

  async function ask(key: string): Promise<number | undefined> {
    try {
      const response = await fetch(`${addressOf()}/goty/${gamesByKey.get(key)}`, {
        method: 'POST',
        headers: { [IDEMPOTENCY_KEY]: key },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const { status } = response;
      const body = await response.text();
      if (status === 200) acknowledged.add(key);
      const isOdd = !expected.includes(status) || !ANSWER.test(body);
      if (isOdd) odd.add(`${status} ${body.slice(0, 200)}`);
      return status;
    } catch {
      // The connection has failed, or nothing came: whether it counts is not known.
      return undefined;
    }
  }
}
