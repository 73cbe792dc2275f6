/** Where the operator is told what went wrong; `console` is one. English, one line each. */
export type Log = Pick<Console, 'info' | 'warn' | 'error'>;
