import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isId } from '@goty/shared/ids';
import type { Nominee } from '@goty/shared/nominee';
import * as v from 'valibot';
import { nomineeSchema } from '../src/operator/nominees-file.ts';
import { OperatorError } from '../src/runtime/operator-error.ts';
import type { Ballot } from '../src/votes/vote-store.ts';

// A vote as a file, one JSON object a line: the nominees, each ballot, and at the end the number of
// ballots and the SHA-256 of all lines before. Sums are not in it: they follow from the ballots.

const FLUSH_CHARACTERS = 65_536;

const header = v.strictObject({
  goty: v.literal('vote'),
  version: v.literal(1),
  nominees: v.pipe(v.array(nomineeSchema), v.readonly()),
});
const id = v.pipe(v.string(), v.check(isId));
const ballot = v.strictObject({ id, game: id, at: v.pipe(v.number(), v.safeInteger()) });
const end = v.strictObject({ ballots: v.number(), sha256: v.string() });

/**
 * Writes a vote into a file, which appears once it is complete.
 *
 * @returns the number of ballots
 * @throws OperatorError if the file exists, or if something in the store cannot be imported
 */
export async function writeVoteFile(
  path: string,
  nominees: readonly Nominee[],
  ballots: AsyncIterable<Ballot>,
  onBallot: () => void,
): Promise<number> {
  if (existsSync(path)) throw new OperatorError(`${path} exists: name another file.`);
  const games = new Set(nominees.map(({ id }) => id));
  const hash = createHash('sha256');
  const file = await open(`${path}.part`, 'w');
  let written = 0;
  let pending = '';
  const write = async (line: object) => {
    pending += `${JSON.stringify(line)}\n`;
    if (pending.length > FLUSH_CHARACTERS) await flush();
  };
  const flush = async () => {
    hash.update(pending);
    await file.write(pending);
    pending = '';
  };
  try {
    await write({ goty: 'vote', version: 1, nominees } satisfies v.InferOutput<typeof header>);
    for await (const one of ballots) {
      if (!v.is(ballot, one) || !games.has(one.game)) {
        throw new OperatorError(
          `The ballot ${one.id} is not sound: run \`npx pnpm@12 goty audit\`.`,
        );
      }
      await write(one);
      written += 1;
      onBallot();
    }
    await flush();
    await write({ ballots: written, sha256: hash.copy().digest('hex') });
    await flush();
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
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
): Promise<{ readonly nominees: readonly Nominee[]; readonly ballots: number }> {
  const hash = createHash('sha256');
  let nominees: readonly Nominee[] | undefined;
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
      if (nominees === undefined) {
        ({ nominees } = v.parse(header, value));
        games = new Set(nominees.map(({ id }) => id));
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
    if (nominees === undefined || !ending) throw new Error('its end is missing');
    if (ending.ballots !== read || ending.sha256 !== hash.digest('hex')) {
      throw new Error('it was changed after it was written');
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const reason = error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error);
    throw new OperatorError(`${path} cannot be used: line ${number}: ${reason}.`);
  }
  await onBallots(group);
  return { nominees, ballots: read };
}
