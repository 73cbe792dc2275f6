/** Where the operator is told what went wrong; `console` is one. English. */
export type Log = Pick<Console, 'info' | 'warn' | 'error'>;
