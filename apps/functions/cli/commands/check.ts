import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_PATHS, API_PREFIX, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import { PAGE_FOLDER } from '../../src/runtime/project-root.ts';
import { checksOf } from '../check/checks.ts';
import { createAsk, look } from '../check/home.ts';
import type { Need } from '../check/probes.ts';
import { count, say } from '../terminal.ts';

const HEALTH = `GET ${API_PREFIX}${API_PATHS.health}`;
/** What a template of the page leaves open for its home. */
const SLOT = /\{\{[\w-]+\}\}/;
/** So much of a text that is missing shows which one it is. */
const MAX_SHOWN = 60;

interface Options {
  readonly function?: string;
  readonly vote?: string;
}

export function addCheck(program: Command) {
  program
    .command('check')
    .argument('<url>', 'where visitors open it', readAddress)
    .description('ask a deployed home whether all is as it should be')
    .option('--function <url>', "ask the Function's own address, too", readAddress)
    .option('--vote <id>', 'vote once for this nominee: the vote counts')
    .action((url: string, options: Options) => check(new URL(url).origin, options));
}

/**
 * Asks a home from outside, and prints what is so and what is wrong.
 *
 * @param pageFolder the folder of the page that was built here
 * @param send sends a request, as `fetch` does
 * @throws OperatorError if anything is wrong
 */
export async function check(
  origin: string,
  options: Options,
  pageFolder = PAGE_FOLDER,
  send: (url: URL, init: RequestInit) => Promise<Response> = fetch,
) {
  let faults = 0;
  const tell = (mark: 'ok' | 'skipped' | 'WRONG', text: string) => {
    if (mark === 'WRONG') faults += 1;
    say(`${mark.padEnd(7)}  ${text}`);
  };
  const ask = createAsk(origin, send);
  const cold = await ask(HEALTH).catch((error: unknown) => {
    throw new OperatorError(`${origin} has no answer: ${reasonOf(error)}.`);
  });
  const warm = await ask(HEALTH);
  const times = `health: the first answer took ${cold.ms} ms, the next ${warm.ms} ms`;
  const fault = faultOf(warm.text, [200]);
  if (fault) tell('WRONG', `health: it ${fault}: see the log, and who may invoke the Function`);
  else if (cold.ms < PAGE_PATIENCE_MS) tell('ok', times);
  else tell('WRONG', `${times}: pages wait ${PAGE_PATIENCE_MS} ms, so set MIN_INSTANCES`);

  const { function: address, vote } = options;
  if (vote !== undefined) say(`One vote for ${vote} is going to count.`);
  const checks = checksOf(await look(origin, ask), readBuild(pageFolder), address, vote);
  for (const [name, advice, probes] of checks) {
    if (typeof probes === 'string') {
      tell('skipped', `${name}: ${probes}`);
      continue;
    }
    const before = faults;
    for (const [request, needs, init] of probes) {
      const fault = await ask(request, init).then(
        ({ text }) => faultOf(text, needs),
        (error: unknown) => `has no answer: ${reasonOf(error)}`,
      );
      const [asked] = request.split('?');
      if (fault !== undefined) tell('WRONG', `${name}: ${asked} ${fault}: ${advice}`);
    }
    if (faults === before) tell('ok', name);
  }
  if (faults > 0) throw new OperatorError(`${count(faults, 'fault')} at ${origin}.`);
}

function faultOf(answer: string, needs: readonly Need[]): string | undefined {
  const missing = needs.find((need) => !isMet(need, answer));
  if (missing === undefined) return undefined;
  const [, mensaje] = /"mensaje":("[^"]*")/.exec(answer) ?? [];
  return ['is', answer.slice(0, 3), without(missing), mensaje].filter(Boolean).join(' ');
}

function without(need: Need): string {
  if (typeof need === 'number') return `not ${need}`;
  return `without ${typeof need === 'string' ? `'${need.trim().slice(0, MAX_SHOWN)}'` : need[0]}`;
}

function isMet(need: Need, answer: string): boolean {
  if (typeof need === 'number') return answer.startsWith(`${need}\n`);
  return typeof need === 'string' ? answer.includes(need) : need[1](answer);
}

/** Why a request has no answer: `fetch` itself only says that it failed. */
function reasonOf(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error ? cause.message : message;
}

/** The static parts of each screen that was built there, by path. */
function readBuild(folder: string) {
  return ['/inicio', '/goty']
    .map((path) => [path, join(folder, '.templates', `${path}.html`)] as const)
    .filter(([, file]) => existsSync(file))
    .map(([path, file]) => [path, readFileSync(file, 'utf8').split(SLOT)] as const);
}

/** An address without the slash at its end. */
function readAddress(text: string): string {
  const { protocol = '', href = '' } = URL.parse(text) ?? {};
  if (/^https?:$/.test(protocol)) return href.replace(/\/$/, '');
  throw new InvalidArgumentError('It is not an address, such as https://my-vote.web.app.');
}
