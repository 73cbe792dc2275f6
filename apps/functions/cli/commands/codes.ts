import { rmSync, writeFileSync } from 'node:fs';
import { SETTLE_MS } from '@goty/shared/protocol';
import { formatVotingCode, readVotingCode } from '@goty/shared/voting-code';
import { type Command, InvalidArgumentError, Option } from 'commander';
import Papa from 'papaparse';
import {
  endCodes,
  keyToSave,
  linkOfCode,
  makeCodes,
  revokeCode,
  takeSavedKey,
  voidVoteOfCode,
} from '../../src/acts/voting-codes.ts';
import { readConfig } from '../../src/operator/config.ts';
import { readText } from '../../src/operator/text-file.ts';
import { errorText, OperatorError, pluralize } from '../../src/runtime/operator-error.ts';
import { PROJECT_ROOT } from '../../src/runtime/project-root.ts';
import { codeSheet } from '../code-sheet.ts';
import { addVoteCommand, type Flags, filePath, outputFile, type Target } from '../target.ts';
import { askForYes, printLine, whileBusy } from '../terminal.ts';
import { wait } from '../time.ts';
import { KNOWN_MS } from './times.ts';

const MAX_MADE = 100_000;
const SOON = 'within 10 s';
/** Milliseconds after which no vote is still on its way that a server accepted because it did not know of a change. */
export const SETTLED_MS = KNOWN_MS + SETTLE_MS.cloud;

interface Options extends Flags<'end' | 'yes'> {
  readonly make?: number;
  readonly out: string;
  readonly revoke?: string;
  readonly saveKey?: string;
  readonly useKey?: string;
}

const EXCLUSIVE_OPTIONS: readonly (readonly [flags: string, description: string])[] = [
  ['--revoke <code>', 'end a code that was lost, and void its vote'],
  ['--end', 'end all codes, so that nothing stored leads from a code to its vote'],
  ['--save-key <file>', 'write what another home needs to know the codes'],
  ['--use-key <file>', 'know the codes of which a file has the key'],
];

export function addCodesCommand(program: Command) {
  const command = addVoteCommand(program, 'codes', runCodes)
    .description('make codes of which each has one vote, for VOTE_POLICY=one-per-code')
    .option('--out <file>', 'where they are written, beside a sheet to print', 'codes.csv')
    .option('--yes', 'do not ask for confirmation');
  const make = new Option('--make <number>', 'make that many, beside those that there are');
  const exclusive = [
    make.argParser(readCount),
    ...EXCLUSIVE_OPTIONS.map((act) => new Option(...act)),
  ];
  const names = exclusive.map((option) => option.attributeName());
  for (const option of exclusive) {
    command.addOption(option.conflicts(names.filter((name) => name !== option.attributeName())));
  }
}

function readCount(text: string): number {
  const count = Number(text);
  if (/^[1-9]\d*$/.test(text) && count <= MAX_MADE) return count;
  throw new InvalidArgumentError(`It is not a number from 1 to ${MAX_MADE}.`);
}

async function runCodes(target: Target, options: Options) {
  const { make, out, revoke, end, saveKey, useKey, yes } = options;
  const { isServed, store } = target;
  if (make !== undefined) return writeCodes(target, make, out);
  if (revoke !== undefined) return revokeOne(target, revoke, yes);
  if (useKey !== undefined) {
    await store.change(
      takeSavedKey(readText(filePath(useKey), 'it has bytes that no text has').text),
    );
    return printLine(`The codes of that key can vote ${SOON}.`);
  }
  const { codeKey } = await store.state();
  if (!codeKey) throw new OperatorError('There are no codes: `goty codes --make 500` makes some.');
  if (saveKey !== undefined) {
    const file = outputFile(saveKey);
    writeNew(file, keyToSave(codeKey));
    return printLine(`Wrote the key to ${file}. Whoever has it can make codes.`);
  }
  if (end) {
    await askForYes('End all codes? Their votes stay, and cannot be changed any more.', yes);
    await store.change(endCodes());
    const files = isServed ? ' once its server has ended' : '';
    return printLine(
      `No code votes anywhere, at the latest in 10 s. Nothing in this database leads from one to its vote${files}: copies of it from before, and a saved key, still do.`,
    );
  }
  printLine(`${pluralize(codeKey.made, 'code')} made, ${codeKey.revoked.length} of them revoked.`);
}

async function writeCodes({ store, project }: Target, count: number, out: string) {
  const { origin, eventName } = placeOfVote(project, process.env);
  const file = outputFile(out);
  const sheet = outputFile(out.replace(/(\.csv)?$/i, '.html'));
  const written: string[] = [];
  const write = (path: string, text: string) => {
    writeNew(path, text);
    written.push(path);
  };
  try {
    await makeCodes(store, count, (codes) => {
      const rows = codes.map((code) => [formatVotingCode(code), linkOfCode(origin, code)]);
      const csv = { delimiter: ';', newline: '\n' };
      write(file, Papa.unparse([['code', 'link'], ...rows], csv));
      write(sheet, codeSheet(origin, codes, eventName));
    });
  } catch (error) {
    for (const path of written) rmSync(path);
    throw error;
  }
  printLine(`Wrote ${pluralize(count, 'code')} to ${file}, and a sheet to print to ${sheet}.`);
  printLine(`They lead to ${origin}, and can vote ${SOON} with VOTE_POLICY=one-per-code.`);
  printLine(
    'Whoever has a code can vote with it, and see and change that vote; whoever has codes and the database can find their votes, until `goty codes --end`. So hand them out unread and mixed, note nowhere who got which, and then remove both files.',
  );
}

async function revokeOne({ store }: Target, text: string, yes: boolean | undefined) {
  const code = readVotingCode(text);
  if (code === undefined) throw new OperatorError('A code has 16 letters and digits.');
  await askForYes('End that code, and void its vote if it has one?', yes);
  await store.change(revokeCode(code));
  console.error(`Waiting ${SETTLED_MS / 1_000} s until no server counts a vote of it.`);
  await wait(SETTLED_MS);
  const hadVote = await whileBusy('Looking for its vote', voidVoteOfCode(store, code));
  printLine(`It votes nowhere any more${hadVote ? ', and its vote is voided' : ''}.`);
}

/** Writes a new file that only the operator may read. If that fails, no part of the file stays. */
function writeNew(path: string, text: string) {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new OperatorError(`${path} exists: name another file.`);
    rmSync(path, { force: true });
    throw new OperatorError(`${path} cannot be written: ${errorText(error)}.`);
  }
}

/** @throws OperatorError if there is no address that other devices can open */
function placeOfVote(project: string | undefined, environment: NodeJS.Dict<string>) {
  const { EVENT_NAME, PUBLIC_URL } = environment;
  const { eventName, publicUrl } = readConfig({ EVENT_NAME, PUBLIC_URL }, PROJECT_ROOT);
  const origin = publicUrl ?? (project && `https://${project}.web.app`);
  if (origin) return { origin, eventName };
  throw new OperatorError('Set PUBLIC_URL to the address of the vote: the codes lead there.');
}
