import type { Standing } from '@goty/shared/game';
import { parseStandings } from '@goty/shared/parse';
import { MAX_SILENCE_MS, PING_EVENT } from '@goty/shared/protocol';
import { type LiveSource, OFFLINE, type StandingsEvent } from './live-source.ts';

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
    let latest: StandingsEvent | undefined;
    let viewers: number | undefined;
    const lose = () => {
      latest = undefined;
      listener(OFFLINE);
    };
    const hear = () => {
      clearTimeout(timer);
      timer = setTimeout(lose, MAX_SILENCE_MS);
    };
    stream.addEventListener(PING_EVENT, ({ data }) => {
      hear();
      viewers = Number(data) || undefined;
      if (latest && latest.viewers !== viewers) tell(latest.standings);
    });
    stream.onmessage = (message) => {
      hear();
      const standings = parseStandings(parseJson(message.data));
      if (standings) tell(standings);
      else lose();
    };
    stream.onerror = lose;
    hear();
    function tell(standings: readonly Standing[]) {
      latest = { type: 'standings', standings, viewers };
      listener(latest);
    }
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
