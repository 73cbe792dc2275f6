import { basename, dirname, join, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { readConfig } from '../src/operator/config.ts';
import { systemClock, withDeadline } from '../src/runtime/clock.ts';
import { OperatorError, printable } from '../src/runtime/operator-error.ts';
import { GOTY, HAS_FIREBASE, PROJECT_ROOT } from '../src/runtime/project-root.ts';
import { isBusy, isOfDisk } from '../src/sqlite/connection.ts';
import { openForOperator, openSqliteStore } from '../src/sqlite/database.ts';
import { isClaimed, portOfServer, realPathOf } from '../src/sqlite/files.ts';
import { UnavailableError, type VoteStore } from '../src/votes/vote-store.ts';

const TIMEOUT_MS = 10_000;

export type Flags<Name extends string> = { readonly [Key in Name]?: boolean };

export interface Target {
  readonly project?: string | undefined;
  readonly store: VoteStore;
  /** What messages call the vote: the database's path, or the project's id. */
  readonly name: string;
  /** Whether a server is running on the database; `undefined` for a project. */
  readonly isServed?: boolean | undefined;
  /** The port at which this machine reaches the server on the database; 0 if it is not known. */
  readonly port: number;
}

export function addVoteCommand<Options extends object>(
  parent: Command,
  usage: string,
  work: (target: Target, options: Options, ...args: string[]) => Promise<unknown>,
): Command {
  const command = addTargetCommand(parent, usage);
  return command.action(() =>
    withTarget(command.opts(), (target) => work(target, command.opts<Options>(), ...command.args)),
  );
}

/** Adds a command whose own action has to open the vote. */
export function addTargetCommand(parent: Command, usage: string): Command {
  const project = new Option(
    '--project <id>',
    'work on this Firebase project, not on the database',
  );
  return parent.command(usage).addOption(project.hideHelp(!HAS_FIREBASE));
}

/** Returns a command on the same vote, ready for the operator to copy. */
export function readyLine(command: string, { project }: Target): string {
  return `${GOTY} ${command}${project === undefined ? '' : ` --project ${project}`}`;
}

/** With `makes`, creates a missing database, and no server can start before `work` ends. At the end, the store is closed. */
export async function withTarget(
  { project }: Pick<Target, 'project'>,
  work: (target: Target) => Promise<unknown>,
  makes = false,
): Promise<void> {
  const path = configuredPaths().databasePath;
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  const ofProject = `project ${project}${emulator ? ` in the emulator at ${emulator}` : ''}`;
  const name = project === undefined ? path : ofProject;
  try {
    const store = project === undefined ? openLocalStore(path, makes) : await openProject(project);
    try {
      const isServed = project === undefined ? !makes && isClaimed(realPathOf(path)) : undefined;
      const port = isServed ? portOfServer(realPathOf(path)) : 0;
      const isAlone = isServed === false && !makes;
      // The vote is named, because the operator may have another server, with another vote, in mind.
      console.error(printable(`Vote: ${name}.${isAlone ? ' No server is running on it.' : ''}`));
      await work({ store, name, project, isServed, port });
    } finally {
      await store.close();
    }
  } catch (error) {
    throw toOperatorError(name, error);
  }
}

function openLocalStore(path: string, makes: boolean): VoteStore {
  // The database is opened as a server opens it: until the store is closed, no server can start and fill it with other nominees.
  if (makes) return openSqliteStore({ path, firstNominees: () => [] });
  return openForOperator(path);
}

/** Turns an error of the store into a line for the operator. Any other error is a bug, and keeps its stack. */
function toOperatorError(name: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOfFirestore = 'code' in error && typeof error.code === 'number';
  const isOfStore = 'errcode' in error || isOfFirestore || error instanceof UnavailableError;
  if (!isOfStore) return error;
  const [reason] = error.message.split('\n');
  let advice = 'Check that it can be reached';
  if (isBusy(error)) advice = 'Another program is writing: wait for its end';
  else if (isOfDisk(error)) advice = 'Check the disk and its free space';
  return new OperatorError(`${name}: ${reason}. ${advice}, then run the command again.`);
}

export function configuredPaths() {
  const { DATABASE, COVERS } = process.env;
  return readConfig({ DATABASE, COVERS }, PROJECT_ROOT);
}

/** Returns the folder of the covers: COVERS or, with a project, the folder that a deploy takes. */
export function coversOf(project: string | undefined): string {
  return project === undefined ? configuredPaths().coversFolder : join(PROJECT_ROOT, 'covers');
}

/** `pnpm` runs commands in the project's folder, so the operator's own folder is in INIT_CWD. */
export function filePath(file: string): string {
  return resolve(process.env.INIT_CWD ?? '.', file);
}

/** @throws OperatorError if the file, or the `.part` that is written beside it first, would overwrite a file of the database */
export function outputFile(name: string): string {
  const file = filePath(name);
  const database = realPathOf(configuredPaths().databasePath);
  const own = ['', '-wal', '-shm', '-journal', '-lock'].map((end) => placeOf(`${database}${end}`));
  if ([file, `${file}.part`].some((path) => own.includes(placeOf(path)))) {
    throw new OperatorError(`${file} is a file of the database ${database}: name another one.`);
  }
  return file;
}

/** Returns the real path of a file, or the path at which it would be created. */
function placeOf(path: string): string {
  return realPathOf(join(realPathOf(dirname(path)), basename(path)));
}

/** @throws OperatorError if Firestore is unreachable or denies access */
async function openProject(project: string): Promise<VoteStore> {
  // The Admin SDK is imported only here, because loading it takes longer than most commands on a database.
  const { applicationDefault } = await import('firebase-admin/app');
  const { Firestore } = await import('firebase-admin/firestore');
  const { createFirestoreStore } = await import('../src/firestore/store.ts');
  const emulator = process.env.FIRESTORE_EMULATOR_HOST;
  try {
    // Without credentials, this call fails and the operator is told, whereas the Firestore SDK would end the process.
    if (!emulator) await applicationDefault().getAccessToken();
    const firestore = new Firestore({ projectId: project });
    const store = createFirestoreStore(firestore, { ...console, warn() {} });
    await withDeadline(store.state(), TIMEOUT_MS, systemClock);
    return store;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    const advice = emulator
      ? `is the emulator at FIRESTORE_EMULATOR_HOST=${emulator} running`
      : 'did you run `gcloud auth application-default login`';
    throw new OperatorError(`Firestore of ${project}: ${reason} (${advice}?)`);
  }
}
