import { once } from 'node:events';
import { connect } from 'node:net';
import { STREAM_HEAD } from '../base/request.ts';

/** As many as the server allows for one address (http/limits.ts). */
const PER_ADDRESS = 500;
/** Connections that are opened at once: fewer than a server's backlog. */
const BATCH = 100;
const LATE_MS = 5_000;

/** Opens event streams. Resolves once each has got its first standings. */
export async function openViewers(port: number, count: number) {
  let wanted = Buffer.from('');
  let arrived = 0;
  let arrive = () => {};
  for (let opened = 0; opened < count; opened += BATCH) {
    const size = Math.min(BATCH, count - opened);
    await Promise.all(Array.from({ length: size }, (_, index) => open(opened + index)));
  }
  return {
    /** Resolves once each has got an event with that many votes for a game. Rejects after 5 s. */
    untilAllSee(votos: number): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const late = setTimeout(
        () => reject(new Error('a vote did not reach every viewer')),
        LATE_MS,
      );
      wanted = Buffer.from(`"votos":${votos}}`);
      arrived = 0;
      arrive = () => {
        arrived += 1;
        if (arrived === count) resolve();
      };
      return promise.finally(() => clearTimeout(late));
    },
  };

  async function open(viewer: number) {
    // All of 127/8 is this machine's.
    const localAddress = `127.0.0.${2 + Math.floor(viewer / PER_ADDRESS)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    socket.write(STREAM_HEAD);
    let answer = '';
    while (!answer.includes('"votos":')) answer += String((await once(socket, 'data'))[0]);
    if (!answer.startsWith('HTTP/1.1 200 ')) throw new Error(`unexpected answer: ${answer}`);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      if (arrived < count && chunk.includes(wanted)) arrive();
    });
  }
}
