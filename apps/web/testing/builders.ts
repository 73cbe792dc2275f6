import {
  type Standing,
  type StandingsResponse,
  totalVotes,
  type VoteResponse,
} from '@goty/shared/game';
import { buildGame } from '@goty/shared/testing/nominee';
import type { ChartInput } from '../src/inicio/chart-rows.tsx';
import { INITIAL_LIVE_STATE, type LiveState } from '../src/live/live-state.ts';
import { viewGames } from '../src/results/game-view.ts';

export const COUNTED: VoteResponse = { ok: true, mensaje: 'Contado' };

/** Builds the standings of 'Juego a', 'Juego b' … with these votes. */
export function buildStandings(...votes: number[]): readonly Standing[] {
  return votes.map((votos, at) => {
    const { id, name } = buildGame({ id: String.fromCharCode(97 + at) });
    return { id, name, votos };
  });
}

/** Builds the same as an answer or a source tells them, when nobody has changed a vote. */
export function buildUpdate(...votes: number[]): Pick<StandingsResponse, 'standings' | 'tally'> {
  const standings = buildStandings(...votes);
  return { standings, tally: totalVotes(standings) };
}

/** Builds what the chart shows of games with these votes. Pass only what the test is about. */
export function buildChartInput(votes: number[], given: Partial<ChartInput> = {}): ChartInput {
  const games = viewGames(buildStandings(...votes));
  return { games, yourVote: undefined, isSecret: false, ...given };
}

/** Builds what the page knows of a vote without times, with live standings. */
export function buildLive(standings: readonly Standing[]): LiveState {
  return { ...INITIAL_LIVE_STATE, connection: 'live', standings };
}
