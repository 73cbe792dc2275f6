/** A fault that only the operator can fix. The message is one line, shown without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
