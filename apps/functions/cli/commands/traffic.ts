import type { Command } from 'commander';
import type { OperatorStore } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { print, say } from '../terminal.ts';
import { format } from '../time.ts';

const MINUTE_MS = 60_000;
/** With fewer votes in a minute, chance looks like a rush. */
const MIN_VOTES = 20;
const TIMES_AS_MANY = 4;

export function addTraffic(program: Command) {
  addVoteCommand(program, 'traffic', traffic)
    .description('print the votes of each minute, and mark what stands out')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON');
}

async function traffic({ store }: Target, options: Flags<'csv' | 'json'>) {
  const rows = trafficOf(await countByMinute(store));
  if (options.csv || options.json) {
    return print(['minute', 'game', 'votos', 'expected', 'standsOut'], rows, options);
  }
  const minutes = [...Map.groupBy(rows, ({ minute }) => minute)].map(([minute, games]) => ({
    minute,
    votes: games.reduce((sum, { votos }) => sum + votos, 0),
    'stands out': games
      .filter(({ standsOut }) => standsOut)
      .map(({ game, votos, expected }) => `${game}: ${votos}, not some ${expected}`)
      .join('; '),
  }));
  print(['minute', 'votes', 'stands out'], minutes);
  say(
    `A game stands out in a minute with ${MIN_VOTES} votes or more for it, over ${TIMES_AS_MANY} times as many as it usually gets for each vote that others get.`,
  );
}

/** The votes of each game by the minute in which they were cast, without those that are voided. */
type Minutes = ReadonlyMap<number, ReadonlyMap<string, number>>;

async function countByMinute(store: OperatorStore): Promise<Minutes> {
  const minutes = new Map<number, Map<string, number>>();
  for await (const { game, at, voided } of store.ballots()) {
    if (voided) continue;
    const minute = Math.floor(at / MINUTE_MS) * MINUTE_MS;
    const votes = minutes.get(minute) ?? new Map<string, number>();
    minutes.set(minute, votes.set(game, (votes.get(game) ?? 0) + 1));
  }
  return minutes;
}

/**
 * Compares each game with the others of the same minute, because a crowd that arrives votes for all games.
 * What is usual is the median of all minutes, which some stuffed ones do not change.
 */
function trafficOf(minutes: Minutes) {
  const games = new Set([...minutes.values()].flatMap((votes) => [...votes.keys()]));
  const rows = [...games].flatMap((game) => {
    const counts = [...minutes].map(([minute, votes]) => {
      const votos = votes.get(game) ?? 0;
      const all = [...votes.values()].reduce((sum, number) => sum + number, 0);
      return { minute, votos, others: Math.max(1, all - votos) };
    });
    const usual = median(counts.map(({ votos, others }) => votos / others));
    return counts
      .filter(({ votos }) => votos > 0)
      .map(({ minute, votos, others }) => {
        const expected = Math.max(1, Math.round(usual * others));
        const standsOut = votos >= MIN_VOTES && votos > TIMES_AS_MANY * expected;
        return { minute: format(minute), game, votos, expected, standsOut };
      });
  });
  return rows.toSorted((a, b) => (a.minute < b.minute ? -1 : a.minute > b.minute ? 1 : 0));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
