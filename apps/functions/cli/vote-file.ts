import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isId } from '@goty/shared/ids';
import type { Nominee } from '@goty/shared/nominee';
import * as v from 'valibot';
import { nomineeSchema } from '../src/operator/nominees-file.ts';
import { OperatorError } from '../src/runtime/operator-error.ts';
import type { Ballot, VoteTimes } from '../src/votes/vote-store.ts';

// A vote as a file, one JSON object a line: nominees and times, each ballot, and at the end the number
// of ballots and the SHA-256 of all lines before. Sums are not in it: they follow from the ballots.

const FLUSH_CHARACTERS = 65_536;

const VERSION = 1;

/** Of the years 1970 to 9999. */
const time = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(253_402_300_799_999));
const header = v.pipe(
  v.strictObject({
    goty: v.literal('vote'),
    version: v.literal(VERSION, 'it comes from another version of GOTY'),
    opensAt: v.optional(time),
    closesAt: v.optional(time),
    nominees: v.pipe(v.array(nomineeSchema), v.readonly()),
  }),
  v.check(
    ({ opensAt, closesAt }) =>
      opensAt === undefined || closesAt === undefined || opensAt < closesAt,
    'the vote would close before it opens',
  ),
);
const id = v.pipe(v.string(), v.check(isId));
const ballot = v.strictObject({ id, game: id, at: time });
const end = v.strictObject({ ballots: v.number(), sha256: v.string() });

/** What a vote is, without its ballots. */
export interface VoteHeader extends VoteTimes {
  readonly nominees: readonly Nominee[];
}

/**
 * Writes a vote into a file, which appears once it is complete.
 *
 * @returns the number of ballots
 * @throws OperatorError if the file exists, or if something in the store cannot be imported
 */
export async function writeVoteFile(
  path: string,
  { nominees, opensAt, closesAt }: VoteHeader,
  ballots: AsyncIterable<Ballot>,
  onBallot: () => void,
): Promise<number> {
  if (existsSync(path)) throw new OperatorError(`${path} exists: name another file.`);
  const first = { goty: 'vote', version: VERSION, opensAt, closesAt, nominees };
  const { issues } = v.safeParse(header, first);
  if (issues) {
    throw new OperatorError(
      `The vote is not sound: ${issues[0].message}. See \`goty audit\` and \`goty status\`.`,
    );
  }
  const onDisk = <Result>(work: Promise<Result>) =>
    work.catch((error: Error) => {
      throw new OperatorError(`${path} cannot be written: ${error.message}.`);
    });
  const games = new Set(nominees.map(({ id }) => id));
  const hash = createHash('sha256');
  const part = `${path}.part`;
  const file = await onDisk(open(part, 'w'));
  let written = 0;
  let pending = '';
  const write = async (line: object) => {
    pending += `${JSON.stringify(line)}\n`;
    if (pending.length > FLUSH_CHARACTERS) await flush();
  };
  const flush = async () => {
    hash.update(pending);
    await onDisk(file.appendFile(pending));
    pending = '';
  };
  try {
    await write(first);
    for await (const one of ballots) {
      if (!v.is(ballot, one) || !games.has(one.game)) {
        throw new OperatorError(`The ballot ${one.id} is not sound: run \`goty audit\`.`);
      }
      await write(one);
      written += 1;
      onBallot();
    }
    await flush();
    await write({ ballots: written, sha256: hash.copy().digest('hex') });
    await flush();
    await onDisk(file.sync());
    await file.close();
    await onDisk(rename(part, path));
  } catch (error) {
    await file.close();
    await rm(part, { force: true });
    throw error;
  }
  return written;
}

/**
 * Reads a vote file to its end without keeping it in memory.
 *
 * @param onBallots called with at most `size` ballots at a time
 * @throws OperatorError that names the line, if the file is not complete and unchanged
 */
export async function readVoteFile(
  path: string,
  size: number,
  onBallots: (ballots: readonly Ballot[]) => Promise<void> | void,
): Promise<VoteHeader & { readonly ballots: number }> {
  const hash = createHash('sha256');
  let vote: VoteHeader | undefined;
  let games = new Set<string>();
  let ending: v.InferOutput<typeof end> | undefined;
  let group: Ballot[] = [];
  let read = 0;
  let number = 0;
  try {
    const lines = createInterface({ input: createReadStream(path), crlfDelay: 0 });
    for await (const line of lines) {
      number += 1;
      const value: unknown = JSON.parse(line);
      if (ending) throw new Error('there is more after the end');
      if (vote === undefined) {
        const { opensAt, closesAt, nominees } = v.parse(header, value);
        vote = { opensAt, closesAt, nominees };
        games = new Set(vote.nominees.map(({ id }) => id));
      } else if (v.is(end, value)) {
        ending = value;
        continue;
      } else {
        const one = v.parse(ballot, value);
        if (!games.has(one.game)) throw new Error(`there is no game ${one.game}`);
        group.push(one);
        read += 1;
      }
      hash.update(`${line}\n`);
      if (group.length < size) continue;
      await onBallots(group);
      group = [];
    }
    if (vote === undefined || !ending) throw new Error('its end is missing');
    if (ending.ballots !== read || ending.sha256 !== hash.digest('hex')) {
      throw new Error('it was changed after it was written');
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
    throw new OperatorError(`${path} cannot be used: line ${number}: ${reason}.`);
  }
  await onBallots(group);
  return { ...vote, ballots: read };
}
