import { OperatorError } from '../runtime/operator-error.ts';

/** Says why a game cannot be added: its old ballots would become votes of the new one (SPEC S10). */
export function unfinishedRemoval(game: string): OperatorError {
  return new OperatorError(
    `${game} still has ballots, since it was not removed to the end: run \`goty nominees remove ${game}\`, then add it.`,
  );
}
