import { parseStandings } from '@goty/shared/parse';
import { MAX_SILENCE_MS, PAGE_PATIENCE_MS, PING_EVENT } from '@goty/shared/protocol';
import type { LiveSource } from './live-source.ts';

/** The pause after a response that is not an event stream. The browser retries lost connections. */
const RECONNECT_MS = 5_000;

/**
 * Creates the live source of the standalone home, an event stream (SPEC L1). It reports 'offline'
 * when the connection fails, stays silent for too long, or sends no standings within the timeout.
 *
 * @param url the address of the event stream
 */
export function createEventSourceLive(url: string): LiveSource {
  return (listener) => {
    let stream: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function connect() {
      watch(PAGE_PATIENCE_MS);
      stream = new EventSource(url);
      stream.addEventListener(PING_EVENT, () => watch(MAX_SILENCE_MS));
      stream.onmessage = (message) => {
        watch(MAX_SILENCE_MS);
        const standings = parseStandings(parseJson(message.data));
        listener(standings ? { type: 'standings', standings } : { type: 'failed' });
      };
      stream.onerror = () => {
        listener({ type: 'offline' });
        if (stream.readyState !== EventSource.CLOSED) return;
        clearTimeout(timer);
        timer = setTimeout(connect, RECONNECT_MS);
      };
    }

    // A connection can hang or die without an error. Stale standings would then be shown as live.
    function watch(patience: number) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        listener({ type: 'offline' });
        reconnect();
      }, patience);
    }

    function reconnect() {
      stream.close();
      connect();
    }

    // Without these events of the browser, the page would notice late that the network is lost or
    // back.
    const reportOffline = () => listener({ type: 'offline' });
    window.addEventListener('offline', reportOffline);
    window.addEventListener('online', reconnect);
    connect();

    return () => {
      window.removeEventListener('offline', reportOffline);
      window.removeEventListener('online', reconnect);
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
