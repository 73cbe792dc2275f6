import { parseStandings } from '@goty/shared/parse';
import { MAX_SILENCE_MS, PING_EVENT } from '@goty/shared/protocol';
import { type LiveSource, OFFLINE } from './live-source.ts';

/**
 * Creates the live source of the standalone home, an event stream (SPEC L1). It reports 'offline'
 * when the connection fails or stays silent for too long. A connection can die without an error.
 *
 * @param url the address of the event stream
 */
export function createEventSourceLive(url: string): LiveSource {
  return (listener) => {
    const stream = new EventSource(url);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lose = () => listener(OFFLINE);
    const hear = () => {
      clearTimeout(timer);
      timer = setTimeout(lose, MAX_SILENCE_MS);
    };
    stream.addEventListener(PING_EVENT, hear);
    stream.onmessage = (message) => {
      hear();
      const standings = parseStandings(parseJson(message.data));
      listener(standings ? { type: 'standings', standings } : OFFLINE);
    };
    stream.onerror = lose;
    hear();
    return () => {
      clearTimeout(timer);
      stream.close();
    };
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
