import { closeSync, openSync, statSync } from 'node:fs';
import { realPathOf } from './file.ts';
import { headerOf } from './header.ts';

export interface OpenFiles {
  /** Whether the files are still in their places, and have not been overwritten as far as one can see. */
  areInPlace(): boolean;
  /** To be called once the database is closed: not earlier, since it ends SQLite's locks, too. */
  forget(): void;
}

/**
 * Remembers which files an open database consists of: SQLite does not notice when they are deleted,
 * moved, replaced or overwritten, and goes on writing into nothing, or into another database.
 *
 * One that was overwritten, as by `cp`, is told by its header. While it is open it says that there is a
 * write-ahead log, which no back-up and no database that was closed says, and it loses pages only by
 * VACUUM. What SQLite itself could have written there cannot be told: the file of another open vote,
 * copied raw, that has as many pages or more, or one of this vote from some 50 votes ago. The file's
 * time does not help: every checkpoint changes it, at any time, and by any program.
 */
export function rememberFiles(path: string): OpenFiles {
  const names = [path, `${realPathOf(path)}-wal`];
  const remembered = names.map(identityOf);
  const file = openSync(path, 'r');
  let last = headerOf(file);
  // While it is being overwritten, it may look sound again.
  let isOurs = true;
  return {
    areInPlace: () =>
      names.every((name, index) => identityOf(name) === remembered[index]) && isOurHeader(),
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
