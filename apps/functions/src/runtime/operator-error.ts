/** Something that only the operator can put right. Its message is one line and says what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
