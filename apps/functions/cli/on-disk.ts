import { open } from 'node:fs/promises';
import { OperatorError } from '../src/runtime/operator-error.ts';

/**
 * Creates the `.part` of a file, for this command alone: another one may be writing the same file.
 *
 * @returns its path
 */
export async function createPart(path: string): Promise<string> {
  const part = `${path}.part`;
  const whatToDo = 'name another file, or remove this one if no command is writing it';
  await (await onDisk(path, open(part, 'wx'), `${part} exists: ${whatToDo}`)).close();
  return part;
}

/** @throws OperatorError instead of the error of a disk */
export async function onDisk<Result>(
  path: string,
  work: Promise<Result>,
  ifTaken = `${path} exists: name another file`,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${isTaken ? ifTaken : `${path} cannot be written: ${reason}`}.`);
  }
}
