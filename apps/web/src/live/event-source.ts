import { parseStandings } from '@goty/shared/parse';
import { MAX_SILENCE_MS, PAGE_PATIENCE_MS, PING_EVENT } from '@goty/shared/protocol';
import type { LiveSource } from './live-source.ts';

/** How long to wait after an answer that is no stream; a lost connection is the browser's to retry. */
const RECONNECT_MS = 5_000;

/** Live results from the server's event stream. */
export function createEventSourceLive(url: string): LiveSource {
  return (listener) => {
    let stream: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function connect() {
      clearTimeout(timer);
      timer = setTimeout(() => listener({ type: 'offline' }), PAGE_PATIENCE_MS);
      stream = new EventSource(url);
      stream.addEventListener(PING_EVENT, expectMore);
      stream.onmessage = (message) => {
        expectMore();
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

    // A line can die without a word: the browser would show the last standing as live for ever.
    function expectMore() {
      clearTimeout(timer);
      timer = setTimeout(() => {
        listener({ type: 'offline' });
        reconnect();
      }, MAX_SILENCE_MS);
    }

    function reconnect() {
      stream.close();
      connect();
    }

    // The browser knows before the stream does, and waits long before it tries again by itself.
    const goOffline = () => listener({ type: 'offline' });
    window.addEventListener('offline', goOffline);
    window.addEventListener('online', reconnect);
    connect();

    return () => {
      window.removeEventListener('offline', goOffline);
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
