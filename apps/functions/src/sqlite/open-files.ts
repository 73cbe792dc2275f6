import { closeSync, openSync, statSync } from 'node:fs';
import { realPathOf } from './file.ts';
import { headerOf } from './header.ts';

/**
 * Remembers which files an open database consists of. SQLite does not notice when they are deleted,
 * moved, replaced or overwritten: it goes on writing, and the votes are lost or end up in another
 * database. A file that was overwritten in place, as by `cp`, is recognized by its header. While a
 * database is open, its header says that there is a write-ahead log, which no backup and no closed
 * database says, and its number of pages shrinks only by VACUUM. Two cases look exactly like what
 * SQLite itself could have written, so nobody can tell them: the raw copy of another open vote with
 * as many pages or more, and a copy of this vote from some 50 votes ago. The file's time does not
 * help, because every checkpoint changes it, at any time and by any program.
 */
export function rememberFiles(path: string) {
  const names = [path, `${realPathOf(path)}-wal`];
  const remembered = names.map(identityOf);
  const file = openSync(path, 'r');
  let last = headerOf(file);
  // Once it was not ours, it stays so: while a file is being overwritten, it may look sound again
  // for a moment.
  let isOurs = true;
  return {
    /** Whether they are still in their places and, as far as can be seen, have not been overwritten. */
    areInPlace: () =>
      names.every((name, index) => identityOf(name) === remembered[index]) && isOurHeader(),
    /** Call this only after the database is closed: closing the file ends SQLite's locks on it. */
    forget: () => closeSync(file),
  };

  function isOurHeader(): boolean {
    const found = headerOf(file);
    isOurs &&=
      found?.mayHaveLog === true &&
      last !== undefined &&
      (found.pages >= last.pages || found.schemaCookie !== last.schemaCookie);
    last = found;
    return isOurs;
  }
}

function identityOf(path: string): string | undefined {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  return file && `${file.dev}:${file.ino}`;
}
