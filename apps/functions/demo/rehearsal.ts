import { randomUUID } from 'node:crypto';
import { API_PATHS, API_PREFIX, IDEMPOTENCY_KEY } from '@goty/shared/protocol';
import { reveal, setTimes, voidRange } from '../src/acts/acts.ts';
import { linkOfCode, makeCodes } from '../src/acts/voting-codes.ts';
import { type Clock, until } from '../src/runtime/clock.ts';
import type { VoteStore } from '../src/votes/vote-store.ts';

/** `rates` are votes a second for the first three games. Without the void, the stuffed votes would make the second game win. */
export const PLAN = {
  countdown: { at: 0, rates: [], says: 'The page counts down' },
  open: { at: 15, rates: [5, 2, 1], says: 'The vote opens' },
  chase: { at: 45, rates: [1, 6, 1], says: 'The second game catches up' },
  comeback: { at: 75, rates: [7, 2, 2], says: 'The first one comes back' },
  freeze: { at: 105, rates: [3, 5, 1], says: 'The vote freezes: nobody sees new votes' },
  stuffing: { at: 115, rates: [3, 30, 1], says: 'Somebody stuffs votes for the second game' },
  finish: { at: 120, rates: [3, 5, 1], says: 'The last votes' },
  close: { at: 130, rates: [], says: 'The vote closes, and all wait for the result' },
  void: { at: 140, rates: [], says: 'The stuffed votes are voided' },
  reveal: { at: 150, rates: [], says: 'The result is revealed' },
  end: { at: 180, rates: [], says: 'The end: all of it is removed' },
} as const;

const PLAN_STEPS = Object.values(PLAN);

/** Returns the games that get votes in that second, each game once for each vote. */
export function votesOfSecond(second: number, games: readonly string[]): string[] {
  const { rates = [] } = PLAN_STEPS.findLast(({ at }) => at <= second) ?? {};
  const votesFor = (place: number) => rates[place] ?? Number(second % place === 0);
  return rates.length === 0 ? [] : games.flatMap((id, place) => Array(votesFor(place)).fill(id));
}

/** Sends the votes over HTTP, one after the other. With `needsCode`, whoever watches gets a code, too. */
export async function rehearse(store: VoteStore, address: string, clock: Clock, needsCode = false) {
  const start = clock.now();
  const begin = clock.elapsed();
  const timeOf = (step: keyof typeof PLAN) => start + PLAN[step].at * 1_000;
  const times = { opensAt: timeOf('open'), closesAt: timeOf('close'), frozenAt: timeOf('freeze') };
  await store.change(setTimes(() => ({ ...times, endsAtClose: false }), 'command'));
  const games = (await store.games()).map(({ id }) => id);
  const codes = needsCode ? [...(await makeCodes(store, 1 + countVotes(games)))] : [];
  const [own] = codes;
  if (own !== undefined) console.info(`A code is needed: vote with ${linkOfCode(address, own)}`);
  for (let second = 0; second <= PLAN.end.at; second += 1) {
    await until(clock, begin + second * 1_000);
    const step = PLAN_STEPS.find(({ at }) => at === second);
    if (step) console.info(`${String(second).padStart(3)} s  ${step.says}`);
    if (step === PLAN.void) {
      const range = { from: timeOf('stuffing'), to: timeOf('finish') };
      await voidRange(store, range, games[1], 'command');
    }
    if (step === PLAN.reveal) await store.change(reveal('command'));
    const votes = votesOfSecond(second, games);
    for (const [index, game] of votes.entries()) {
      await until(clock, begin + (second + index / votes.length) * 1_000);
      await vote(`${address}${API_PREFIX}${API_PATHS.vote(game)}`, codes.pop());
    }
  }
}

function countVotes(games: readonly string[]): number {
  let votes = 0;
  for (let second = 0; second < PLAN.end.at; second += 1) {
    votes += votesOfSecond(second, games).length;
  }
  return votes;
}

async function vote(url: string, code: string | undefined) {
  const headers = { 'Content-Type': 'application/json', [IDEMPOTENCY_KEY]: randomUUID() };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ code }) });
  const answer = await response.text();
  if (!response.ok) console.warn(`A vote was refused: ${answer}`);
}
