import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_PATHS, API_PREFIX, PAGE_PATIENCE_MS } from '@goty/shared/protocol';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError, reasonOf } from '../../src/runtime/operator-error.ts';
import { PAGE_FOLDER } from '../../src/runtime/project-root.ts';
import { checksOf } from '../check/checks.ts';
import { createAsk, faultOf, look, type Probe } from '../check/home.ts';
import { count, say } from '../terminal.ts';

const HEALTH = `GET ${API_PREFIX}${API_PATHS.health}`;
/** What a template of the page leaves open for its home. */
const SLOT = /\{\{[\w-]+\}\}/;
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
  const first = performance.now();
  await ask(HEALTH).catch((error: unknown) => {
    throw new OperatorError(`${origin} has no answer: ${reasonOf(error)}.`);
  });
  const second = performance.now();
  const fault = faultOf([200], [await ask(HEALTH)]);
  const [cold, warm] = [second - first, performance.now() - second].map(Math.round);
  const times = `health: the first answer took ${cold} ms, the next ${warm} ms`;
  if (fault) tell('WRONG', `health: it ${fault}: see the log, and who may invoke the Function`);
  else if (second - first < PAGE_PATIENCE_MS) tell('ok', times);
  else tell('WRONG', `${times}: pages wait ${PAGE_PATIENCE_MS} ms, so set MIN_INSTANCES`);

  const { function: address, vote } = options;
  if (vote !== undefined) say(`One vote for ${vote} is going to count.`);
  const checks = checksOf(await look(origin, ask), probesOf(pageFolder), address, vote);
  for (const [name, check] of Object.entries(checks)) {
    if (typeof check === 'string') {
      tell('skipped', `${name}: ${check}`);
      continue;
    }
    const [advice, ...probes] = check;
    const answers: string[] = [];
    const before = faults;
    for (const [request, needs, init] of probes) {
      let fault: string | undefined;
      try {
        answers.push(await ask(request, init));
        fault = faultOf(needs, answers);
      } catch (error) {
        fault = `has no answer: ${reasonOf(error)}`;
      }
      const [asked] = request.split('?');
      if (fault !== undefined) tell('WRONG', `${name}: ${asked} ${fault}: ${advice}`);
    }
    if (faults === before) tell('ok', name);
  }
  if (faults > 0) throw new OperatorError(`${count(faults, 'fault')} at ${origin}.`);
}

/** Each screen that was built there needs its static parts. */
function probesOf(folder: string): Probe[] {
  return ['inicio', 'goty']
    .map((name) => [`GET /${name}`, join(folder, '.templates', `${name}.html`)] as const)
    .filter(([, file]) => existsSync(file))
    .map(([request, file]) => [request, readFileSync(file, 'utf8').split(SLOT)]);
}

/** An address without the slash at its end. */
function readAddress(text: string): string {
  const { protocol = '', href = '' } = URL.parse(text) ?? {};
  if (/^https?:$/.test(protocol)) return href.replace(/\/$/, '');
  throw new InvalidArgumentError('It is not an address, such as https://my-vote.web.app.');
}
