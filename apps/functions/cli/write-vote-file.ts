import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import * as v from 'valibot';
import { OperatorError } from '../src/runtime/operator-error.ts';
import type { Ballot } from '../src/votes/vote-store.ts';
import { checkVoteFile } from './read-vote-file.ts';
import { ballotSchema, headerSchema, VERSION, type VoteHeader } from './vote-file.ts';
import { writeWhole } from './write-whole.ts';

const PIECE_CHARACTERS = 65_536;

/**
 * Writes a vote into a file, which appears once it is complete and has been read back.
 *
 * @returns the number of ballots
 * @throws OperatorError if the file exists, or if something in the store cannot be imported
 */
export function writeVoteFile(
  path: string,
  vote: VoteHeader,
  ballots: AsyncIterable<Ballot>,
): Promise<number> {
  return writeWhole(path, async (part) => {
    await using file = await open(part, 'r+');
    for await (const piece of piecesOf(vote, ballots)) await file.appendFile(piece);
    await file.sync();
    return (await checkVoteFile(part)).ballots;
  });
}

/** The text of a vote file, in pieces for the disk. */
async function* piecesOf(
  { nominees, opensAt, closesAt, frozenAt }: VoteHeader,
  ballots: AsyncIterable<Ballot>,
): AsyncGenerator<string> {
  const first = { goty: 'vote', version: VERSION, opensAt, closesAt, frozenAt, nominees };
  const { issues } = v.safeParse(headerSchema, first);
  if (issues) {
    throw new OperatorError(
      `The vote is not sound: ${issues[0].message}. See \`goty audit\` and \`goty status\`.`,
    );
  }
  const games = new Set(nominees.map(({ id }) => id));
  const hash = createHash('sha256');
  let piece = lineOf(first);
  let written = 0;
  for await (const ballot of ballots) {
    if (!v.is(ballotSchema, ballot) || !games.has(ballot.game)) {
      throw new OperatorError(`The ballot ${ballot.id} is not sound: run \`goty audit\`.`);
    }
    piece += lineOf(ballot);
    written += 1;
    if (piece.length < PIECE_CHARACTERS) continue;
    hash.update(piece);
    yield piece;
    piece = '';
  }
  hash.update(piece);
  yield piece + lineOf({ ballots: written, sha256: hash.digest('hex') });
}

/** One line, also for `readline`, which takes more characters than `\n` for the end of one. */
function lineOf(value: object): string {
  const code = (end: string) => `\\u${end.charCodeAt(0).toString(16)}`;
  return `${JSON.stringify(value).replaceAll(/[\u2028\u2029]/g, code)}\n`;
}
