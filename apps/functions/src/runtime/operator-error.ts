/** A fault that only the operator can fix. The message is one line, shown without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';

  constructor(message: string) {
    super(printable(message));
  }
}

/** A text in which no file and no answer can control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\ufffd');
}
