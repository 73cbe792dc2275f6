import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

// Loaded into a server before its own code (`--import`): what a measurement needs inside of it, by the
// query of the URL.

const query = new URL(import.meta.url).searchParams;
const DAY_MS = 24 * 60 * 60 * 1_000;

if (query.has('slowMs')) {
  const slowMs = Number(query.get('slowMs'));
  beforeCommit(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, slowMs));
}
if (query.has('clock')) moveClock();
if (query.has('syncs')) countSyncs();

/** At every signal: a day ahead, a day back, the right time. */
function moveClock() {
  const steps = [DAY_MS, -DAY_MS, 0];
  const { now } = Date;
  let step = 0;
  process.on('SIGUSR2', () => {
    const jump = steps[step % steps.length] ?? 0;
    step += 1;
    Date.now = () => now() + jump;
  });
}

/**
 * Counts commits and syncs, and tells the parent when asked. In WAL mode with `synchronous=FULL` SQLite
 * syncs once for each commit. A checkpoint syncs the log and then the database, and the first commit
 * after it syncs the log's new header, too. How many checkpoints there were is in that header
 * (https://www.sqlite.org/fileformat.html#the_write_ahead_log).
 */
function countSyncs() {
  const syncsOfCheckpoint = 3;
  const checkpointsAt = 12;
  let database: DatabaseSync | undefined;
  let commits = 0;
  beforeCommit((committing) => {
    database = committing;
    commits += 1;
  });
  process.on('message', () => {
    const header = readFileSync(`${database?.location()}-wal`).subarray(0, checkpointsAt + 4);
    process.send?.({
      synchronous: database?.prepare('PRAGMA synchronous').get()?.synchronous,
      commits,
      syncs: commits + syncsOfCheckpoint * header.readUInt32BE(checkpointsAt),
    });
  });
  process.channel?.unref();
}

function beforeCommit(call: (database: DatabaseSync) => void) {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql) {
    if (sql === 'COMMIT') call(this);
    exec.call(this, sql);
  };
}
