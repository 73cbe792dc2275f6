/** The operator's log, in English. `console` satisfies it. */
export type Log = Pick<Console, 'info' | 'warn' | 'error'>;
