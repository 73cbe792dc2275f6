import type { Command } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { Ballot } from '../../src/votes/vote-store.ts';
import { addVoteCommand, type Flags, type Target } from '../target.ts';
import { ask, count, say, withProgress } from '../terminal.ts';
import { AT, format, readTime } from '../time.ts';
import { GROUP } from '../vote-file.ts';

interface Options extends Flags<'undo' | 'yes'> {
  readonly from: number;
  readonly to: number;
  readonly game?: string;
}

export function addVoid(program: Command) {
  addVoteCommand(program, 'void', voidVotes)
    .description('take votes that were stuffed out of the result')
    .requiredOption('--from <time>', `of the first vote: ${AT}`, readTime)
    .requiredOption('--to <time>', 'after the last vote, likewise', readTime)
    .option('--game <id>', 'only votes for this game')
    .option('--undo', 'count such votes again')
    .option('--yes', 'do not ask for confirmation');
}

async function voidVotes({ store }: Target, options: Options) {
  const { from, to, game, undo = false, yes } = options;
  if (from >= to) throw new OperatorError('The first time has to be before the second one.');
  if (to > Date.now()) throw new OperatorError(`${format(to)} is not past yet.`);
  const names = new Map((await store.games()).map(({ id, name }) => [id, name]));
  if (game !== undefined && !names.has(game)) throw new OperatorError(`There is no game ${game}.`);
  const found: Ballot[] = [];
  for await (const ballot of store.ballots()) {
    const isOfGame = game === undefined || ballot.game === game;
    const isMeant = isOfGame && ballot.at >= from && ballot.at < to;
    if (isMeant && (ballot.voided ?? false) === undo) found.push(ballot);
  }
  if (found.length === 0) return say('There are no such votes.');
  const votes = count(found.length, undo ? 'voided vote' : 'vote');
  const byGame = [...Map.groupBy(found, (ballot) => ballot.game)]
    .map(([id, { length }]) => `${length} for ${names.get(id) ?? id}`)
    .join(', ');
  const what = `${votes} cast from ${format(from)} to ${format(to)} (${byGame})`;
  await ask(`${undo ? 'Count' : 'Void'} ${what}?`, yes);
  const groups = Map.groupBy(found, (_, at) => Math.floor(at / GROUP)).values();
  let changed = 0;
  for await (const group of withProgress(undo ? 'Restoring' : 'Voiding', found.length, groups)) {
    changed += await store.voidBallots(group, !undo);
  }
  say(
    undo
      ? `${count(changed, 'vote')} counted again.`
      : `${count(changed, 'vote')} voided. The same command with --undo counts them again.`,
  );
}
