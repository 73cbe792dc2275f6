import type { Command } from 'commander';
import type { Act } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { count, printJson, say } from '../terminal.ts';
import { short } from '../time.ts';

const TIMES = { opensAt: 'opening', closesAt: 'closing', frozenAt: 'freeze' } as const;

export function addRecord(program: Command) {
  addVoteCommand(program, 'record', record)
    .description('print all that was done to the vote')
    .option('--json', 'print JSON');
}

async function record({ store }: Target, { json }: Flags<'json'>) {
  const acts = await store.record();
  if (json) return printJson(acts);
  for (const act of acts) say(lineOf(act));
}

/** An act as a line. */
export function lineOf({ at, by, what, votes, games, ranges = [], before, after }: Act): string {
  const parts = [
    votes !== undefined && count(votes, 'vote'),
    games && `of ${games.join(', ')}`,
    ...ranges.map(({ from, to }) => `cast from ${short(from)} to ${short(to)}`),
    before && after && changesOf(before, after),
  ];
  const details = parts.filter(Boolean).join(' ');
  return `${short(at)}, ${by}: ${what}${details && `, ${details}`}`;
}

function changesOf(before: NonNullable<Act['before']>, after: NonNullable<Act['after']>): string {
  const told = (time: number | undefined) => (time === undefined ? 'never' : short(time));
  const changes = (['opensAt', 'closesAt', 'frozenAt'] as const)
    .filter((name) => before[name] !== after[name])
    .map((name) => `${TIMES[name]} from ${told(before[name])} to ${told(after[name])}`);
  if (before.endsAtClose !== after.endsAtClose) {
    changes.push(after.endsAtClose ? 'shown at the close' : 'held until `reveal`');
  }
  return changes.join(', ');
}
