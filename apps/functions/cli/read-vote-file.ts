import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { OperatorError } from '../src/runtime/operator-error.ts';
import type { Ballot } from '../src/votes/vote-store.ts';
import { ballotSchema, endSchema, headerSchema, type VoteSummary } from './vote-file.ts';

const CHECKED_AT_ONCE = 1_000;

/** Reads a vote file to its end. See `readVoteFile`. */
export async function checkVoteFile(path: string): Promise<VoteSummary> {
  const groups = readVoteFile(path, CHECKED_AT_ONCE);
  while (true) {
    const { done, value } = await groups.next();
    if (done) return value;
  }
}

/**
 * Reads a vote file to its end without keeping it in memory. Yields its ballots, at most `size` at a
 * time, and returns the rest.
 *
 * @throws OperatorError that names the line, if the file is not complete and unchanged
 */
export async function* readVoteFile(
  path: string,
  size: number,
): AsyncGenerator<readonly Ballot[], VoteSummary> {
  const reader = createInterface({ input: createReadStream(path) });
  const lines = reader[Symbol.asyncIterator]();
  const hash = createHash('sha256');
  let number = 0;
  let last = '';
  try {
    const { opensAt, closesAt, frozenAt, nominees } = v.parse(headerSchema, await next());
    const games = new Set(nominees.map(({ id }) => id));
    let ballots = 0;
    let group: Ballot[] = [];
    let value = await next();
    while (!v.is(endSchema, value)) {
      const ballot = v.parse(ballotSchema, value);
      if (!games.has(ballot.game)) throw new Error(`there is no game ${ballot.game}`);
      group.push(ballot);
      ballots += 1;
      value = await next();
      if (group.length < size) continue;
      yield group;
      group = [];
    }
    if (value.ballots !== ballots || value.sha256 !== hash.digest('hex')) {
      throw new Error('it was changed after it was written');
    }
    if (!(await lines.next()).done) throw new Error('there is more after the end');
    yield group;
    return { opensAt, closesAt, frozenAt, nominees, ballots };
  } catch (error) {
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
    const place = number === 0 ? '' : `line ${number}: `;
    throw new OperatorError(`${path} cannot be used: ${place}${reason}.`);
  } finally {
    reader.close();
  }

  /** The content of the next line. The hash is that of the lines before it. */
  async function next(): Promise<unknown> {
    const { done, value: line } = await lines.next();
    if (done) throw new Error('its end is missing');
    hash.update(last);
    last = `${line}\n`;
    number += 1;
    return JSON.parse(line);
  }
}
