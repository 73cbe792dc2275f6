import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError, pluralize } from '../../src/runtime/operator-error.ts';
import { PAGE_FOLDER } from '../../src/runtime/project-root.ts';
import { checksOf } from '../check/checks.ts';
import { createAsk, faultOfAnswer, inspectHome, type Probe } from '../check/probes.ts';
import { printLine } from '../terminal.ts';

/** A slot that each home fills in a template: only the text between slots is the same everywhere. */
const ANY_SLOT = /\{\{[\w-]+\}\}/;
interface Options {
  readonly function?: string;
  readonly vote?: string;
}

export function addCheckCommand(program: Command) {
  program
    .command('check')
    .argument('<url>', 'where visitors open it', readAddress)
    .description('ask a deployed home whether all is as it should be')
    .option('--function <url>', "ask the Function's own address, too", readAddress)
    .option('--vote <id>', 'vote once for this nominee: the vote counts')
    .action((url: string, options: Options) => check(new URL(url).origin, options));
}

/** @throws OperatorError if anything is wrong */
export async function check(
  origin: string,
  options: Options,
  pageFolder = PAGE_FOLDER,
  send: (url: URL, init: RequestInit) => Promise<Response> = fetch,
) {
  const ask = createAsk(origin, send);
  const home = await inspectHome(origin, ask);
  printLine(`The first answer took ${home.firstAnswerMs} ms.`);
  const { function: address, vote } = options;
  if (vote !== undefined) printLine(`One vote for ${vote} is going to count.`);
  let faults = 0;
  for (const [name, check] of Object.entries(checksOf(home, probesOf(pageFolder), address, vote))) {
    if (typeof check === 'string') {
      printLine(`skipped  ${name}: ${check}`);
      continue;
    }
    const [advice, ...probes] = check;
    const answers: string[] = [];
    const before = faults;
    for (const [request, needs, init] of probes) {
      answers.push(await ask(request, init));
      const fault = faultOfAnswer(needs, answers);
      if (fault === undefined) continue;
      faults += 1;
      printLine(`WRONG    ${name}: ${request.split('?')[0]} ${fault}: ${advice}`);
    }
    if (faults === before) printLine(`ok       ${name}`);
  }
  if (faults > 0) throw new OperatorError(`${pluralize(faults, 'fault')} at ${origin}.`);
}

/** The answers have to contain the static parts of the screens' templates. */
function probesOf(folder: string): Probe[] {
  return ['inicio', 'goty']
    .map((name) => [`GET /${name}`, join(folder, '.templates', `${name}.html`)] as const)
    .filter(([, file]) => existsSync(file))
    .map(([request, file]) => [request, readFileSync(file, 'utf8').split(ANY_SLOT)]);
}

function readAddress(text: string): string {
  const { protocol = '', href = '' } = URL.parse(text) ?? {};
  if (/^https?:$/.test(protocol)) return href.replace(/\/$/, '');
  throw new InvalidArgumentError('It is not an address, such as https://my-vote.web.app.');
}
