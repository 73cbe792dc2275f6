import { ok } from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { removeGame } from '@goty/functions/acts';
import { runProgram } from '@goty/functions/testing/program';
import { checkVoteFile } from '@goty/functions/vote-file';
import { hasRightSum } from '@goty/functions/vote-store';
import { newFolder } from '../base/homes.ts';
import { ROOT } from '../base/report.ts';
import type { Fault, Home } from './scenario.ts';
import { GAME } from './votes.ts';

const GOTY = join(ROOT, 'apps/functions/cli/goty.ts');
const CONNECTIONS = 8;
/** A game that is removed and added again. Votes for it are sent, and nobody keeps count of them. */
const LOST = 'lost';
const LOST_VOTES = 20;
/** A command takes about this long, in milliseconds. It is killed somewhere in between. */
const COMMAND_MS = 1_500;
const FILES = 2;

/** What a command needs to find a vote: `args` stand behind its own. */
interface OperatorEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly args: readonly string[];
}

interface OperatedHome extends Home {
  /** For its vote, or for another one of that name. */
  operator(name?: string): OperatorEnvironment;
}

/** Returns a number below `limit`, the next of those that follow from the seed. */
type Draw = (limit: number) => number;
type Command = (draw: Draw, round: number) => readonly string[];

const UNTIL_NOW = () => ['--from', '1970-01-01T00:00Z', '--to', new Date().toISOString()];

const COMMANDS: readonly Command[] = [
  (draw, round) => ['export', `export-${round}-${draw(FILES)}.ndjson`],
  (draw, round) => ['reset', `reset-${round}-${draw(FILES)}.ndjson`, '--yes'],
  (draw, round) => ['import', `export-${round - 1}-${draw(FILES)}.ndjson`, '--yes'],
  () => ['nominees', 'set', 'nominees.json'],
  () => ['nominees', 'remove', LOST, '--yes'],
  () => ['audit', '--repair', '--yes'],
  () => ['open'],
  () => ['close', '--at', '2099-01-01T00:00Z'],
  () => ['freeze'],
  () => ['reveal', '--yes'],
  () => ['void', ...UNTIL_NOW(), '--yes'],
  () => ['void', ...UNTIL_NOW(), '--undo', '--yes'],
];

/** Runs commands that meet each other, the server and their end. */
export const COMMAND_FAULT: Fault<OperatedHome> = {
  fault: 'commands at once, on the same files and others, half of them killed, again and again',
  promise: 'O2, O6, O7, O13 to O16, S10, S14, S20, S21: what they say is so, and no vote is lost',
  pour: CONNECTIONS,
  async inject({ home, votes, scale }) {
    const draw = createDraw(scale.seed);
    const folder = newFolder();
    try {
      const nominees = [GAME, LOST].map((id) => ({ id, name: id, url: `/${id}.svg` }));
      writeFileSync(join(folder, 'nominees.json'), JSON.stringify(nominees));
      await expectDone(home, folder, 'nominees', 'set', 'nominees.json');
      for (let round = 0; round < scale.kills; round += 1) {
        await votes.untilCounted(10);
        await voteForLost(home);
        await meet(home, folder, choose(draw, round), draw);
      }
      await bringBack(home, folder);
      // Three at once: in the cloud each `init` waits until instances know its times.
      for (let round = 0; round < scale.kills; round += 3) {
        const own = [0, 1, 2].map((more) => home.operator(`vote-${round + more}`));
        await Promise.all(own.map((each) => makeVote(each, folder, 1 + draw(COMMAND_MS))));
      }
    } catch (cause) {
      throw new Error(`again: npx -y pnpm@12 faults --only commands --seed ${scale.seed}`, {
        cause,
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * Runs a command in a folder, and kills it (`kill -9`) after `timeout` milliseconds. Resolves with its exit code,
 * `null` if it was killed, and all that it said.
 */
async function runGoty(
  { env, args }: OperatorEnvironment,
  folder: string,
  command: readonly string[],
  timeout?: number,
) {
  const environment = { INIT_CWD: folder, ...env };
  const options = { timeout, killSignal: 'SIGKILL' } as const;
  const { exit, stderr, stdout } = runProgram([GOTY, ...command, ...args], environment, options);
  const said = await Promise.all([text(stdout), stderr]);
  const [code] = await exit;
  return { code, said: said.join('') };
}

/** Two or three commands: as often as not the same one with the same file. */
function choose(draw: Draw, round: number) {
  const next = () => COMMANDS[draw(COMMANDS.length)]?.(draw, round) ?? [];
  const first = next();
  return draw(2) === 0 ? [first, first] : [first, ...Array.from({ length: 1 + draw(2) }, next)];
}

/** Runs commands at once, kills half of them, and checks what they have left. */
async function meet(
  home: OperatedHome,
  folder: string,
  commands: readonly (readonly string[])[],
  draw: Draw,
) {
  const written = new Set<string>();
  await Promise.all(
    commands.map(async (args) => {
      const killAfter = draw(2) === 0 ? 1 + draw(COMMAND_MS) : undefined;
      const { code, said } = await runGoty(home.operator(), folder, args, killAfter);
      const isTold = [0, 1, 3, null].includes(code) && !said.includes('\n    at ');
      ok(isTold, `${args.join(' ')} ended with ${code}: ${said}`);
      const [name = '', file = ''] = args;
      if (code !== 0 || !['export', 'reset'].includes(name)) return;
      ok(existsSync(join(folder, file)), `${file} is written`);
      ok(!written.has(file), `${file} is written once`);
      written.add(file);
    }),
  );
  for (const file of readdirSync(folder).map((name) => join(folder, name))) {
    // An operator removes what a killed command has left.
    if (file.endsWith('.part')) rmSync(file);
    else if (file.endsWith('.ndjson')) await checkVoteFile(file);
  }
  const wrong = (await home.use((store) => store.recount())).filter(
    (count) => !hasRightSum(count) && (count.exists || count.game !== LOST),
  );
  ok(wrong.length === 0, `sums are ballots: ${JSON.stringify(wrong)}`);
}

/** Imports what was exported, without the game that was removed, so that every vote is there again. */
async function bringBack(home: OperatedHome, folder: string) {
  await home.use((store) => store.change(removeGame(LOST)));
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ndjson'))) {
    await expectDone(home, folder, 'import', file, '--yes');
  }
  await home.use((store) => store.change(removeGame(LOST)));
  await expectDone(home, folder, 'reveal', '--yes');
  await expectDone(home, folder, 'void', ...UNTIL_NOW(), '--undo', '--yes');
}

/** Makes a vote with a command that is killed, then with others: for a while Firestore keeps the locks of the first. */
async function makeVote(operator: OperatorEnvironment, folder: string, killAfter: number) {
  const args = ['init', 'nominees.json', '--opens', '2098-01-01T00:00Z'];
  let made = await runGoty(operator, folder, args, killAfter);
  do made = await runGoty(operator, folder, args);
  while (made.said.includes('run the command again'));
  ok(made.code === 0 || made.said.includes('has a vote already'), `init: ${made.said}`);
  const { said } = await runGoty(operator, folder, ['status']);
  ok(said.includes('not open yet'), `a vote that was made opens when it is to: ${said}`);
}

async function expectDone({ operator }: OperatedHome, folder: string, ...args: readonly string[]) {
  const { code, said } = await runGoty(operator(), folder, args);
  ok(code === 0, `${args.join(' ')}: ${said}`);
}

async function voteForLost(home: OperatedHome) {
  const url = `${home.address()}/goty/${LOST}`;
  // Refused if the game is not there, or not yet known. A connection that was idle may be closed just then.
  const vote = () => fetch(url, { method: 'POST' }).catch(() => undefined);
  await Promise.all(Array.from({ length: LOST_VOTES }, vote));
}

/** The numbers that follow from a seed: https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createDraw(seed: number): Draw {
  let state = BigInt(seed);
  return (limit) => {
    state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
    return Number((state >> 33n) % BigInt(limit));
  };
}
