import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { API_PATHS, API_PREFIX } from '@goty/shared/protocol';

/** As many as the server allows for one address (http/limits.ts). */
const PER_ADDRESS = 500;
/** A little more than the shortest time between two events (live/hub.ts). */
const INTERVAL_MS = 102;
/** How long to wait for the last viewer. */
const LATE_MS = 5_000;
/** Connections that are opened at once: fewer than a server's backlog. */
const BATCH = 100;

export interface SpreadResult {
  /** From sending each vote to the last viewer's event, in milliseconds. */
  readonly spread: readonly number[];
  /** Votes that some viewer has not seen. */
  readonly missed: number;
}

/** Opens event streams. Resolves once each has got its first standings. */
export async function openViewers(port: number, viewers: number) {
  /** What the events of the newest vote contain. */
  let wanted = Buffer.from('"votos":');
  let arrived = 0;
  let arrive = () => {};
  let first = '';
  for (let opened = 0; opened < viewers; opened += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, viewers - opened) }, (_, index) =>
      open(addressOf(opened + index)),
    );
    await Promise.all(batch);
  }
  const votes = [...first.matchAll(/"votos":(\d+)/g)].map(([, votos]) => Number(votos));

  return {
    /** Casts votes one by one, each for the leading game, and waits for its last viewer. */
    async spread(count: number, cast: () => Promise<unknown>): Promise<SpreadResult> {
      const spread: number[] = [];
      let missed = 0;
      let votos = Math.max(...votes);
      for (let sent = 0; sent < count; sent += 1) {
        votos += 1;
        wanted = Buffer.from(`"votos":${votos}}`);
        arrived = 0;
        const everybody = new Promise<'seen'>((resolve) => {
          arrive = () => arrived === viewers && resolve('seen');
        });
        const late = new AbortController();
        const start = performance.now();
        await cast();
        const outcome = await Promise.race([
          everybody,
          wait(LATE_MS, 'late', late).catch(() => 'late'),
        ]);
        if (outcome === 'seen') spread.push(performance.now() - start);
        else missed += 1;
        late.abort();
        await wait(Math.max(0, start + INTERVAL_MS - performance.now()));
      }
      votes.push(votos);
      return { spread, missed };
    },
  };

  async function open(localAddress: string) {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    socket.write(`GET ${API_PREFIX}${API_PATHS.live} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    let answer = '';
    while (!answer.includes('"votos":')) answer += String((await once(socket, 'data'))[0]);
    if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`unexpected answer: ${answer}`);
    first ||= answer;
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.includes(wanted)) return;
      arrived += 1;
      arrive();
    });
  }
}

/** 127.0.0.2 and so on: all of 127/8 is this machine's. */
function addressOf(viewer: number): string {
  return `127.0.0.${2 + Math.floor(viewer / PER_ADDRESS)}`;
}
