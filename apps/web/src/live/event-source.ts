import { PING_EVENT, PING_INTERVAL_MS } from '@goty/shared/protocol';
import { parseStandings } from '../base/parse.ts';
import type { LiveSource } from './live-state.ts';

/**
 * A stream counts as dead after so much silence: two ping intervals, so that one lost ping does not end it, and 1 s in which a
 * ping may be on its way.
 */
const MAX_SILENCE_MS = 2 * PING_INTERVAL_MS + 1_000;
/**
 * On plain HTTP, all pages of a browser share six connections to a host, and each stream keeps one of them. Only this many pages
 * may have a stream, so that connections are left for requests. The other pages poll.
 */
const MAX_STREAMS = 3;
const STREAMS_KEY = 'goty-streams';
/** How often a page notes in localStorage that it keeps its stream. */
const BEAT_MS = 5_000;
/** A page whose last note is older than this counts as closed: three notes in a row are missing. */
const GONE_MS = 3 * BEAT_MS;

/**
 * Creates the live source of the standalone home: an event stream (SPEC L1), which the browser reconnects by itself. The source
 * ends when the server refuses the stream, when nothing has arrived for too long, because a connection can die without an error,
 * or at once if other pages of this browser have as many streams as are allowed.
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
 * Claims one of the streams that the pages of this browser may have. Pages know of each other by localStorage alone, so two that
 * open in the same instant may both claim the last stream. On https, where streams share one connection, their number has no
 * limit.
 *
 * @returns the function that gives the claim back; `undefined` if all streams are claimed
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

/**
 * Returns the streams that open pages keep, but for the stream `id`: for each, when its page last noted it, by `Date.now()`. The
 * result is empty where the browser stores nothing.
 */
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
