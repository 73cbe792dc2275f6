import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  lstatSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ACTS } from '@goty/shared/act';
import { isId } from '@goty/shared/protocol';
import { eachTime, MAX_TIME, type VoteTimes } from '@goty/shared/vote-times';
import * as v from 'valibot';
import { MAX_GAMES_IN_ACT } from '../src/acts/acts.ts';
import { nomineeSchema } from '../src/operator/nominees-file.ts';
import { errorText, OperatorError } from '../src/runtime/operator-error.ts';
import { type Ballot, UNNAMED_VOTE } from '../src/votes/ballot.ts';
import type { ActPart } from '../src/votes/vote-store.ts';

// A vote file has one JSON object in each line: first nominees and times, then each ballot, and at the end the number of ballots
// and the SHA-256 of all lines before. The sums are left out, because they follow from the ballots.

/** The versions of the file that can be read. A file of version 1 has no vote id. */
const VERSIONS = [1, 2] as const;
const VERSION = 2;
export const BALLOTS_PER_WRITE = 500;

const CHUNK_LENGTH = 250_000;

/** The greatest length of a line: enough for the header of some 100,000 nominees. */
const MAX_LINE_LENGTH = 50_000_000;

/** Stands for the act that voids a ballot where older files name none. An import puts the id of its own act in its place. */
export const UNNAMED_ACT = '';

/** Requires a schema even for optional fields: a file with a field that has no schema cannot be imported. */
type Entries<Type> = Record<keyof Type, v.GenericSchema>;

const time = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_TIME));
const number = v.pipe(v.number(), v.integer(), v.minValue(0));
const timetable = v.strictObject({
  ...eachTime(() => v.optional(time)),
  endsAtClose: v.exactOptional(v.boolean()),
} satisfies Entries<VoteTimes>);
const id = v.pipe(v.string(), v.check(isId));
const anyActSchema = v.strictObject({
  id: v.exactOptional(id),
  at: time,
  by: v.picklist(['command', 'desk', 'server']),
  what: v.picklist(ACTS),
  votes: v.exactOptional(number),
  codes: v.exactOptional(number),
  undoes: v.exactOptional(v.string()),
  games: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
  ranges: v.exactOptional(v.pipe(v.array(v.strictObject({ from: time, to: time })), v.readonly())),
  before: v.exactOptional(timetable),
  after: v.exactOptional(timetable),
  part: v.exactOptional(number),
} satisfies Entries<ActPart>);
/** Gives an act of an older file the same id at each reading, and takes the games out of an act that names too many. */
const actSchema = v.pipe(
  anyActSchema,
  v.transform(({ id, games = [], ...act }) => ({
    id:
      id ??
      createHash('sha256')
        .update(JSON.stringify({ ...act, games }))
        .digest('hex')
        .slice(0, 16),
    ...act,
    ...(games.length > 0 && games.length <= MAX_GAMES_IN_ACT && { games }),
  })),
);
const headerSchema = v.pipe(
  v.strictObject({
    goty: v.literal('vote'),
    version: v.picklist(VERSIONS, 'it comes from a newer version of GOTY: update GOTY'),
    voteId: v.optional(v.union([v.literal(UNNAMED_VOTE), id]), UNNAMED_VOTE),
    ...timetable.entries,
    record: v.optional(v.pipe(v.array(actSchema), v.readonly())),
    nominees: v.pipe(v.array(nomineeSchema), v.readonly()),
  }),
  v.check(
    ({ opensAt, closesAt }) =>
      opensAt === undefined || closesAt === undefined || opensAt < closesAt,
    'the vote would close before it opens',
  ),
  v.check(
    ({ nominees }) => new Set(nominees.map(({ id }) => id)).size === nominees.length,
    'a nominee is listed twice',
  ),
);
const ballotSchema = v.strictObject({
  id,
  game: id,
  at: time,
  voided: v.exactOptional(
    v.union([
      id,
      v.pipe(
        v.literal(true),
        v.transform(() => UNNAMED_ACT),
      ),
    ]),
  ),
} satisfies Entries<Ballot>);
const endSchema = v.strictObject({ ballots: v.number(), sha256: v.string() });

type VoteHeader = Omit<v.InferOutput<typeof headerSchema>, 'goty' | 'version'>;
export interface VoteSummary extends VoteHeader {
  readonly ballots: number;
  readonly voided: number;
}

/**
 * The file gets its name once it is complete and has been read back. Only one command at a time can create the `.part` beside it,
 * so `rename` is enough, which every disk supports. Ballots of games that were added meanwhile, as `isAdded` says, are left out.
 *
 * @returns the number of ballots
 * @throws OperatorError if the name is taken, the disk does not take the file, or something in the store cannot be imported
 */
export async function writeVoteFile(
  path: string,
  vote: VoteHeader,
  ballots: AsyncIterable<Ballot>,
  isAdded: (game: string) => Promise<boolean>,
): Promise<number> {
  const part = `${path}.part`;
  try {
    writeFileSync(part, '', { flag: 'wx', mode: 0o600 });
    try {
      throwIfExists(path);
      const number = await writePart(path, vote, ballots, isAdded);
      // A stream does not wait for the disk, so the file is flushed before it gets its name.
      writeFileSync(part, '', { flag: 'a', flush: true });
      // Another program may have created a file of this name meanwhile, which `rename` would replace.
      throwIfExists(path);
      renameSync(part, path);
      return number;
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
  } catch (error) {
    // An error that is not of the file system is for the operator already, comes from the store that is read, or is a bug.
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw new OperatorError(
      error.code === 'EEXIST'
        ? `${part} exists: name another file, or remove this one if no command is writing it.`
        : `${path} cannot be written: ${error.message}.`,
    );
  }
}
/** @throws OperatorError if something has that name, even a link that leads nowhere */
export function throwIfExists(path: string) {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw new OperatorError(`${path} exists: name another file.`);
}

async function writePart(
  path: string,
  vote: VoteHeader,
  ballots: AsyncIterable<Ballot>,
  isAdded: (game: string) => Promise<boolean>,
): Promise<number> {
  const written = createHash('sha256');
  const onDisk = createHash('sha256');
  let number = 0;
  await pipeline(chunks, createWriteStream(`${path}.part`));
  await pipeline(createReadStream(`${path}.part`), onDisk);
  if (onDisk.digest('hex') === written.digest('hex')) return number;
  throw new OperatorError(`${path} does not have what was written into it: check the disk.`);

  async function* chunks() {
    let text = headerLine(vote);
    const games = new Set(vote.nominees.map(({ id }) => id));
    for await (const ballot of ballots) {
      if (!games.has(ballot.game) && (await isAdded(ballot.game))) continue;
      text += ballotLine(ballot, games);
      number += 1;
      // Hashing and writing each line by itself would take longer than all else, so many lines go into one chunk.
      if (text.length > CHUNK_LENGTH) yield take();
    }
    yield take();
    text = lineOf({ ballots: number, sha256: written.copy().digest('hex') });
    yield take();

    function take() {
      const chunk = Buffer.from(text);
      written.update(chunk);
      text = '';
      return chunk;
    }
  }
}

function headerLine({ nominees, ...vote }: VoteHeader): string {
  const header = { goty: 'vote', version: VERSION, ...vote, nominees };
  const { issues } = v.safeParse(headerSchema, header);
  if (issues === undefined) return lineOf(header);
  throw new OperatorError(
    `The vote is not sound: ${issues[0].message}. See \`goty audit\` and \`goty status\`.`,
  );
}

function ballotLine(ballot: Ballot, games: ReadonlySet<string>): string {
  const { id, game, at, voided } = ballot;
  // Only voided ballots are checked by the schema: checking each line would take as long as all the rest of writing it.
  const isValid = voided ? v.is(ballotSchema, ballot) : isId(id) && v.is(time, at);
  if (isValid && games.has(game)) return lineOf(ballot);
  throw new OperatorError(`The ballot ${id} is not sound: run \`goty audit\`.`);
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** Reads a vote file to its end, and returns all of the vote except its ballots. Rejects as `readVoteFile` does. */
export async function checkVoteFile(path: string): Promise<VoteSummary> {
  const groups = readVoteFile(path);
  while (true) {
    const { done, value } = await groups.next();
    if (done) return value;
  }
}

/** @throws OperatorError that names the line, if the file is not complete and unchanged */
export async function* readVoteFile(path: string): AsyncGenerator<readonly Ballot[], VoteSummary> {
  await using lines = linesIn(path);
  const hash = createHash('sha256');
  let number = 0;
  let last = '';
  try {
    const { goty, version, ...header } = v.parse(headerSchema, await next());
    const games = new Set(header.nominees.map(({ id }) => id));
    let ballots = 0;
    let voided = 0;
    let group: Ballot[] = [];
    let value = await next();
    while (!v.is(endSchema, value)) {
      const ballot = v.parse(ballotSchema, value);
      if (!games.has(ballot.game)) throw new Error(`there is no game ${ballot.game}`);
      group.push(ballot);
      ballots += 1;
      if (ballot.voided !== undefined) voided += 1;
      value = await next();
      if (group.length < BALLOTS_PER_WRITE) continue;
      yield group;
      group = [];
    }
    if (value.ballots !== ballots || value.sha256 !== hash.digest('hex')) {
      throw new Error('it was changed after it was written');
    }
    if (!(await lines.next()).done) throw new Error('there is more after the end');
    yield group;
    return { ...header, ballots, voided };
  } catch (error) {
    throw new OperatorError(
      `${path} is not as \`goty export\` writes it: line ${number}: ${errorText(error)}.`,
    );
  }

  /** Returns the content of the next line. `hash` then covers the lines before that line. */
  async function next(): Promise<unknown> {
    number += 1;
    const { done, value: line } = await lines.next();
    if (done) throw new Error('its end is missing');
    hash.update(last);
    last = `${line}\n`;
    return JSON.parse(line);
  }
}

/** Yields the lines of a file. `readline` is not used, because it fails in a way that nobody can catch if a line is too long. */
async function* linesIn(path: string): AsyncGenerator<string> {
  let line = '';
  for await (const chunk of createReadStream(path, 'utf8')) {
    const [end = '', ...starts] = String(chunk).split('\n');
    line += end;
    if (line.length > MAX_LINE_LENGTH) throw new Error('it is too long for one of a vote');
    for (const start of starts) {
      yield line;
      line = start;
    }
  }
  if (line !== '') yield line;
}
