import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

// Loaded into a server before its own code: counts what it syncs, and tells its parent when asked.
//
// In WAL mode with `synchronous=FULL` SQLite syncs once for each commit. A checkpoint syncs the log and
// then the database, and the first commit after it syncs the log's new header, too. How many checkpoints
// there were is in that header (https://www.sqlite.org/fileformat.html#the_write_ahead_log).

const SYNCS_OF_CHECKPOINT = 3;
const CHECKPOINTS_AT = 12;

let database: DatabaseSync | undefined;
let commits = 0;
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  if (sql === 'COMMIT') {
    database = this;
    commits += 1;
  }
  return exec.call(this, sql);
};

process.on('message', () => {
  const log = readFileSync(`${database?.location()}-wal`).subarray(0, CHECKPOINTS_AT + 4);
  process.send?.({
    synchronous: database?.prepare('PRAGMA synchronous').get()?.synchronous,
    commits,
    syncs: commits + SYNCS_OF_CHECKPOINT * log.readUInt32BE(CHECKPOINTS_AT),
  });
});
process.channel?.unref();
