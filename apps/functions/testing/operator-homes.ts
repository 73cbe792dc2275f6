import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFirestoreStore } from '../src/cloud/firestore-store.ts';
import { openForOperator, openSqliteStore } from '../src/standalone/sqlite-database.ts';
import type { OperatorStore } from '../src/votes/vote-store.ts';
import { startCloudServer } from './cloud-server.ts';
import { firestoreHost, newProjectId, openFirestore } from './firestore.ts';
import { testFolder } from './folder.ts';
import { start } from './process.ts';

const CLI = resolve(import.meta.dirname, '../cli/goty.ts');
const NOMINEES = 'id,name,url\na,Uno,/a.svg\nb,=Dos,/b.svg\n';

/** Runs `goty` in `folder`. */
export function run(environment: Record<string, string>, folder: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', CLI, ...args],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, METADATA_SERVER_DETECTION: 'none', ...environment },
    },
  );
  return { status, stdout, stderr };
}

interface Home {
  readonly goty: (...args: string[]) => ReturnType<typeof run>;
  /** Starts a server of the vote for the running test. Resolves with its address. */
  serve(): Promise<string>;
  /** Calls `work` with the store, as a server has it. */
  use<Result>(work: (store: OperatorStore) => Promise<Result>): Promise<Result>;
  /** Damages the vote by hand: `a` has 999 votes, and a ballot names a game that is missing. */
  damage(): Promise<void>;
}

/** An empty vote, with a CSV file of nominees in the folder where commands run. */
type OpenHome = (folder: string) => Promise<Home>;

/** An empty standalone vote. */
export const openStandalone: OpenHome = async (folder) => {
  const DATABASE = join(folder, 'goty.sqlite');
  const COVERS = join(folder, 'covers');
  await openSqliteStore({ path: DATABASE, firstNominees: () => [] }).close();
  return {
    goty: (...args) => run({ DATABASE, COVERS }, folder, ...args),
    serve: async () => (await start({ DATABASE, COVERS })).address,
    async use(work) {
      const store = openForOperator(DATABASE);
      const result = await work(store);
      await store.close();
      return result;
    },
    async damage() {
      const database = new DatabaseSync(DATABASE);
      database.exec(`PRAGMA foreign_keys = OFF; UPDATE goty SET votos = 999 WHERE id = 'a';
                     INSERT INTO ballots VALUES ('orphan', 'away', 1)`);
      database.close();
    },
  };
};

const openCloud: OpenHome = async (folder) => {
  const project = newProjectId();
  const COVERS = join(folder, 'covers');
  const firestore = openFirestore(project);
  const store = createFirestoreStore({ firestore, log: console });
  return {
    goty: (...args) =>
      run(
        { FIRESTORE_EMULATOR_HOST: firestoreHost, COVERS },
        folder,
        ...args,
        '--project',
        project,
      ),
    serve: async () => (await startCloudServer({ project, nominees: [] })).address,
    use: (work) => work(store),
    async damage() {
      await firestore.doc('goty/a').update({ votos: 999 });
      await firestore.doc('ballots/orphan').set({ game: 'away', at: 1 });
    },
  };
};

/** Both homes, and whether they can run here. */
export const HOMES = [
  { name: 'the standalone home', home: openStandalone, isMissing: false, hasBackup: true },
  { name: 'the cloud home', home: openCloud, isMissing: firestoreHost === '', hasBackup: false },
];

/** An open vote of that home, with a nominees file in its folder. */
export async function openVote(home: OpenHome) {
  const folder = testFolder();
  writeFileSync(join(folder, 'n.csv'), NOMINEES);
  return { folder, ...(await home(folder)) };
}
