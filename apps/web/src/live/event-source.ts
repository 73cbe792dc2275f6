import { PING_EVENT, PING_INTERVAL_MS } from '@goty/shared/protocol';
import { parseStandings } from '../base/parse.ts';
import type { LiveSource } from './live-state.ts';

/** A stream that was silent for two pings, and the time that one may take, is considered dead. */
const MAX_SILENCE_MS = 2 * PING_INTERVAL_MS + 1_000;
/** On plain HTTP, all pages of a browser share six connections to a host: this many may keep one, the others ask. */
const MAX_STREAMS = 3;
const STREAMS_KEY = 'goty-streams';
/** How often a page says that it keeps its stream, and after what silence it counts as gone. */
const BEAT_MS = 5_000;
const GONE_MS = 3 * BEAT_MS;

/**
 * Creates the live source of the standalone home, an event stream (SPEC L1). The browser itself connects it again.
 * It is over when the server refuses it, when it has been silent for too long, because a connection can die without an error,
 * or at once if other pages of the browser have enough streams.
 */
export function createEventSource(url: string): LiveSource {
  return ({ tell, end }) => {
    const giveBack = takeStream();
    if (!giveBack) {
      end();
      return () => {};
    }
    const stream = new EventSource(url);
    let timer: ReturnType<typeof setTimeout> | undefined;
    stream.addEventListener(PING_EVENT, ({ data }) => {
      hear();
      tell({ viewers: Number(data) || 0 });
    });
    stream.onmessage = ({ data, lastEventId }) => {
      hear();
      const standings = parseStandings(parseJson(data));
      if (standings) tell({ standings, tally: Number(lastEventId) });
    };
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) end();
    };
    hear();
    return () => {
      clearTimeout(timer);
      stream.close();
      giveBack();
    };

    function hear() {
      clearTimeout(timer);
      timer = setTimeout(end, MAX_SILENCE_MS);
    }
  };
}

/**
 * Takes one of the streams that this browser may have. Its pages know of each other by what they store, so two that come in
 * the same instant may both take the last one.
 *
 * @returns the function that gives it back; `undefined` if there is none
 */
function takeStream(): (() => void) | undefined {
  if (window.location.protocol !== 'http:') return () => {};
  const id = `${Math.random()}`;
  if (Object.keys(streamsBut(id)).length >= MAX_STREAMS) return undefined;
  const keep = () => saveStreams({ ...streamsBut(id), [id]: Date.now() });
  const beat = setInterval(keep, BEAT_MS);
  keep();
  return () => {
    clearInterval(beat);
    saveStreams(streamsBut(id));
  };
}

/** When each of the other pages that keep a stream has said so last; none where nothing can be stored. */
function streamsBut(id: string): Readonly<Record<string, unknown>> {
  const isOther = ([other, at]: [string, unknown]) =>
    other !== id && Math.abs(Date.now() - Number(at)) < GONE_MS;
  try {
    const stored: object = Object(JSON.parse(localStorage.getItem(STREAMS_KEY) ?? '{}'));
    return Object.fromEntries(Object.entries(stored).filter(isOther));
  } catch {
    return {};
  }
}

function saveStreams(streams: object) {
  try {
    localStorage.setItem(STREAMS_KEY, JSON.stringify(streams));
  } catch {}
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
