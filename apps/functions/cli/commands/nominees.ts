import { NOMINEE_FIELDS, type Nominee } from '@goty/shared/nominee';
import type { Command } from 'commander';
import { faultsOfCovers } from '../../src/operator/covers.ts';
import { readNomineesFile } from '../../src/operator/nominees-file.ts';
import { OperatorError } from '../../src/runtime/operator-error.ts';
import type { OperatorStore } from '../../src/votes/vote-store.ts';
import {
  addVoteCommand,
  coversFolder,
  filePath,
  type TargetOptions,
  withTarget,
} from '../target.ts';
import { ask, count, printCsv, printJson, printTable, whileBusy } from '../terminal.ts';

interface Options extends TargetOptions {
  readonly csv?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly yes?: boolean;
}

const COLUMNS = ['id', ...NOMINEE_FIELDS];

export function addNominees(program: Command) {
  const nominees = program.command('nominees').description('list, set or remove nominees');

  addVoteCommand(nominees, 'list', 'list the nominees')
    .option('--csv', 'print CSV, for `nominees set`')
    .option('--json', 'print JSON, for `nominees set`')
    .action((options: Options) => withTarget(options, ({ store }) => list(store, options)));

  addVoteCommand(nominees, 'set <file>', 'add and change nominees without touching votes')
    .option('--dry-run', 'only show what would change')
    .option('--json', 'print JSON')
    .action((file: string, options: Options) =>
      withTarget(options, ({ store }) =>
        set(store, readNomineesFile(filePath(file), coversFolder()), options),
      ),
    );

  addVoteCommand(nominees, 'remove <id>', 'remove a nominee and its votes')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'do not ask for confirmation')
    .action((id: string, options: Options) =>
      withTarget(options, ({ store }) => remove(store, id, options)),
    );
}

async function list(store: OperatorStore, { csv, json }: Options) {
  const games = await store.games();
  const nominees = games.map(({ votos, ...nominee }) => nominee);
  if (json) printJson(nominees);
  else if (csv) printCsv(nominees, COLUMNS);
  else printTable(games.map(({ id, name, url, votos }) => [id, name, url, votos]));
}

async function set(store: OperatorStore, nominees: readonly Nominee[], { dryRun, json }: Options) {
  const known = new Map((await store.games()).map((game) => [game.id, game]));
  const added = nominees.filter(({ id }) => !known.has(id));
  const changed = nominees.filter((nominee) => {
    const game = known.get(nominee.id);
    return game && NOMINEE_FIELDS.some((field) => game[field] !== nominee[field]);
  });
  const ids = new Set(nominees.map(({ id }) => id));
  const kept = [...known.keys()].filter((id) => !ids.has(id));
  if (json) {
    printJson({ added: idsOf(added), changed: idsOf(changed), notInFile: kept });
  } else {
    for (const { id, name, url } of added) console.info(`add     ${id}: ${name}, ${url}`);
    for (const change of changesOf(known, changed)) console.info(change);
    for (const id of kept) console.info(`keep    ${id}, which is not in the file`);
  }
  for (const line of faultsOfCovers(coversFolder(), nominees)) console.error(line);
  if (!dryRun && added.length + changed.length > 0) await store.setNominees([...added, ...changed]);
  if (json) return;
  const done = `${count(added.length, 'nominee')} added, ${changed.length} changed`;
  console.info(dryRun ? `${done}: not done, this is a dry run.` : `${done}.`);
}

/** A line for each text of these nominees that is another one now. */
export function changesOf(known: ReadonlyMap<string, Nominee>, nominees: readonly Nominee[]) {
  return nominees.flatMap((nominee) =>
    NOMINEE_FIELDS.flatMap((field) => {
      const [from, to] = [known.get(nominee.id)?.[field], nominee[field]];
      return from === undefined || from === to
        ? []
        : [`change  ${nominee.id}: ${field} from ${from} to ${to}`];
    }),
  );
}

async function remove(store: OperatorStore, id: string, { dryRun, yes }: Options) {
  const counts = await whileBusy('Counting', store.recount());
  const found = counts.find(({ game }) => game === id);
  if (!found) throw new OperatorError(`There is no nominee ${id}.`);
  const what = `${id} with ${count(found.ballots, 'vote')}`;
  if (dryRun) return console.info(`Would remove ${what}.`);
  if (found.ballots > 0) await ask(`Remove ${what}? Its voters can vote again.`, yes);
  await whileBusy('Removing', store.removeGame(id));
  console.info(`Removed ${id} with its votes.`);
}

function idsOf(nominees: readonly Nominee[]) {
  return nominees.map(({ id }) => id);
}
