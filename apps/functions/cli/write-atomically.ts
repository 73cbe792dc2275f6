import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../src/runtime/operator-error.ts';

/**
 * Writes a file that appears under its name once it is complete. Only one command at a time can write it:
 * its `.part` beside it is created for this one alone. `rename` is then enough, and every disk has it.
 *
 * @param write writes the part, checks it, and returns what to say of it
 * @param mayReplace called if there is something of that name; throws, as it does by default, unless that
 *   may be replaced
 * @throws OperatorError if another command writes the file, or the disk does not take it
 */
export async function writeAtomically<Result>(
  path: string,
  write: (part: string) => Promise<Result>,
  mayReplace: () => void | Promise<void> = () => throwExists(path),
): Promise<Result> {
  const part = `${path}.part`;
  await onDisk(path, () => writeFileSync(part, '', { flag: 'wx' }));
  try {
    const isReplaced = exists(path);
    if (isReplaced) await mayReplace();
    const written = await onDisk(path, () => write(part));
    // Not every writer of it waits for the disk.
    await onDisk(path, () => writeFileSync(part, '', { flag: 'a', flush: true }));
    // Another program may have written it meanwhile.
    if (!isReplaced && exists(path)) throwExists(path);
    renameSync(part, path);
    return written;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function throwExists(path: string) {
  throw new OperatorError(`${path} exists: name another file.`);
}

/** Whether there is something of that name, be it a link that leads nowhere. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** @throws OperatorError instead of the error of a disk */
async function onDisk<Result>(path: string, work: () => Result): Promise<Awaited<Result>> {
  try {
    return await work();
  } catch (error) {
    // Others are of the store that is read meanwhile, or a bug.
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    throw new OperatorError(
      error.code === 'EEXIST'
        ? `${path}.part exists: name another file, or remove this one if no command is writing it.`
        : `${path} cannot be written: ${error.message}.`,
    );
  }
}
