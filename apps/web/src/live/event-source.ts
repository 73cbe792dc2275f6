import { PING_EVENT, PING_INTERVAL_MS } from '@goty/shared/protocol';
import { parseStandings } from '../base/parse.ts';
import type { LiveSource } from './known.ts';

/** A stream that was silent for two pings, and the time that one may take, is considered dead. */
const MAX_SILENCE_MS = 2 * PING_INTERVAL_MS + 1_000;

/**
 * Creates the live source of the standalone home, an event stream (SPEC L1). The browser itself connects it again.
 * It is over when the server refuses it, or when it has been silent for too long: a connection can die without an error.
 *
 * @param url the address of the event stream
 */
export function createEventSource(url: string): LiveSource {
  return ({ tell, end }) => {
    const stream = new EventSource(url);
    let timer: ReturnType<typeof setTimeout> | undefined;
    stream.addEventListener(PING_EVENT, ({ data }) => {
      hear();
      tell({ viewers: Number(data) || 0 });
    });
    stream.onmessage = ({ data }) => {
      hear();
      const standings = parseStandings(parseJson(data));
      if (standings) tell({ standings });
    };
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) end();
    };
    hear();
    return () => {
      clearTimeout(timer);
      stream.close();
    };

    function hear() {
      clearTimeout(timer);
      timer = setTimeout(end, MAX_SILENCE_MS);
    }
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
