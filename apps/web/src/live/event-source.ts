import type { Standing } from '@goty/shared/game';
import { CHANGE_EVENT, PING_EVENT, PING_INTERVAL_MS } from '@goty/shared/protocol';
import { parseStandings } from '../base/parse.ts';
import type { LiveSource } from './live-state.ts';

/** A stream ends after a silence of two ping intervals, so that one ping may be lost, and of 1 s more for a ping on its way. */
const MAX_SILENCE_MS = 2 * PING_INTERVAL_MS + 1_000;
/** On plain HTTP, all pages of a browser share six connections to a host. Pages without a stream poll. */
const MAX_STREAMS = 3;
const STREAMS_KEY = 'goty-streams';
/** How often a page notes in localStorage that it keeps its stream. */
const BEAT_MS = 5_000;
/** A page whose last note is older than this counts as closed: three notes in a row are missing. */
const GONE_MS = 3 * BEAT_MS;

/**
 * The browser reconnects the stream (SPEC L1) by itself. The source ends when the server refuses the stream, when too long
 * nothing has arrived, because a connection can die without an error, or if no stream is left for this page.
 */
export function createEventSource(url: string): LiveSource {
  return ({ tell, end }) => {
    const giveBack = takeStream();
    if (!giveBack) {
      end();
      return () => {};
    }
    const stream = new EventSource(url);
    let standings: readonly Standing[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    stream.addEventListener(PING_EVENT, ({ data }) => {
      hear();
      tell({ viewers: Number(data) || 0 });
    });
    stream.onmessage = take;
    stream.addEventListener(CHANGE_EVENT, take);
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) end();
    };
    hear();
    return () => {
      clearTimeout(timer);
      stream.close();
      giveBack();
    };

    function take({ type, data, lastEventId }: MessageEvent) {
      hear();
      const rows = parseStandings(parseJson(data));
      if (!rows) return;
      const changed = new Map(rows.map((row) => [row.id, row]));
      standings = type === CHANGE_EVENT ? standings.map((row) => changed.get(row.id) ?? row) : rows;
      tell({ standings, tally: Number(lastEventId) });
    }

    function hear() {
      clearTimeout(timer);
      timer = setTimeout(end, MAX_SILENCE_MS);
    }
  };
}

/**
 * Two pages that open in the same instant may both claim the last stream. On https, streams share one connection, so their number
 * has no limit.
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

/** Returns when each other page last noted that it keeps its stream, by `Date.now()`; nothing where no note can be read. */
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
