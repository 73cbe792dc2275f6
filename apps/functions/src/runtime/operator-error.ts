/** A fault that only the operator can fix. The message is one line, shown without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';

  constructor(message: string) {
    super(printable(message));
  }
}

/** Returns a number with its noun, as in `1 vote` and `2 votes`. */
export function pluralize(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const FOLDER_IN_PLACE =
  'it is a folder, no file; Docker makes one if the file that is to be mounted is missing';

/** Returns an error's message, or its cause's, if it has one: an error of `fetch` only says that the request failed. */
export function errorText(error: unknown): string {
  const { cause, message } = error instanceof Error ? error : new Error(String(error));
  const text = cause instanceof Error ? cause.message : message;
  const isFolder = text.startsWith('EISDIR');
  return isFolder ? FOLDER_IN_PLACE : text.replaceAll(/\s+/g, ' ');
}

/** Replaces control characters: a text that comes from a file or a server must not control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}
