import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../src/runtime/operator-error.ts';

/**
 * Writes a file that appears under its name once it is complete. Only one command at a time can write it:
 * its `.part` beside it is created for this one alone. `rename` is then enough, and every disk has it.
 *
 * @param write writes the part, checks it, and returns what to say of it
 * @throws OperatorError if there is something of that name, another command writes it, or the disk does not take it
 */
export async function writeAtomically<Result>(
  path: string,
  write: (part: string) => Promise<Result>,
): Promise<Result> {
  const part = `${path}.part`;
  await onDisk(path, () => writeFileSync(part, '', { flag: 'wx' }));
  try {
    throwIfExists(path);
    const written = await onDisk(path, () => write(part));
    // A stream does not wait for the disk.
    await onDisk(path, () => writeFileSync(part, '', { flag: 'a', flush: true }));
    // Another program may have written it meanwhile.
    throwIfExists(path);
    renameSync(part, path);
    return written;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** @throws OperatorError if there is something of that name, be it a link that leads nowhere */
function throwIfExists(path: string) {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw new OperatorError(`${path} exists: name another file.`);
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
