import type { Command } from 'commander';
import { pluralize } from '../../src/runtime/pluralize.ts';
import {
  anomaliesIn,
  caveatsOf,
  countByMinute,
  lowerQuartile,
  MIN_VOTES,
  MINUTE_MS,
  OUTLIER_FACTOR,
  trafficRows,
} from '../../src/votes/stuffing.ts';
import { addVoteCommand, type Flags, readyLine, type Target } from '../target.ts';
import { print, printLine } from '../terminal.ts';
import { formatIso } from '../time.ts';

/** So many times the votes of a quiet minute are a crowd, or several games that are stuffed at once. */
const CROWD = 10;
const RULE = `A game stands out in a minute with ${MIN_VOTES} votes or more, over ${OUTLIER_FACTOR} times as many as expected. Expected is its usual part of what the others got in that minute, the largest two left out; usual is what it got, or more, in three quarters of the minutes. Where no game does, all stand out in a minute with over ${CROWD} times the votes of a quiet one: a crowd, or many games stuffed at once.`;

export function addTraffic(program: Command) {
  addVoteCommand(program, 'traffic', traffic)
    .description('print the votes of each minute, and mark what stands out')
    .option('--csv', 'print CSV')
    .option('--json', 'print JSON');
}

async function traffic(target: Target, options: Flags<'csv' | 'json'>) {
  const minutes = await countByMinute(target.store.ballots());
  const rows = await trafficRows(minutes);
  if (options.csv || options.json) {
    const numbers = rows.map((row) => ({ ...row, minute: formatIso(row.minute) }));
    return print(['minute', 'game', 'votos', 'expected', 'standsOut'], numbers, options);
  }
  const quiet = lowerQuartile(minutes.map(({ total }) => total));
  const marked = rows.filter(({ standsOut }) => standsOut);
  const table = minutes.map(({ start, total, votes }) => {
    const [first, second] = [...votes].map(([game, votos]) => `${game}: ${votos}`);
    const isCrowd = total >= MIN_VOTES && total > CROWD * quiet;
    const games = marked
      .filter(({ minute }) => minute === start)
      .map(({ game, expected }) => `${game}, some ${expected} expected`);
    const standsOut = games.join('; ') || (isCrowd ? `all, some ${quiet} in a quiet minute` : '');
    const minute = new Date(start).toLocaleString('sv', { dateStyle: 'short', timeStyle: 'short' });
    const UTC = formatIso(start).replace(':00.000', '');
    return { minute, UTC, votes: total, first, second, 'stands out': standsOut };
  });
  print(['minute', 'UTC', 'votes', 'first', 'second', 'stands out'], table);
  for (const { game, from, to, votos, expected } of anomaliesIn(rows)) {
    const length = pluralize((to - from) / MINUTE_MS, 'minute');
    printLine(
      `${game} got ${pluralize(votos, 'vote')} in ${length}; some ${expected} were to be expected:`,
    );
    // The last minute may not be over, and genuine votes may follow.
    const end = formatIso(Math.min(to, Date.now()));
    printLine(
      `  ${readyLine(`void --game ${game} --from ${formatIso(from)} --to ${end}`, target)}`,
    );
  }
  for (const line of caveatsOf(minutes, Date.now())) printLine(line);
  printLine(RULE);
}
