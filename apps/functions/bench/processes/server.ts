interface Syncs {
  /** Of the connection that commits: 2 is FULL. */
  readonly synchronous: number;
  readonly commits: number;
  readonly syncs: number;
}

/** A server that is measured. */
export interface Server {
  readonly port: number;
  /** The games of a server of ours; none has no votes. */
  readonly games: readonly string[];
  /** Its processor time and memory (Linux). */
  readonly pid: number;
  /** Votes that it has acknowledged. */
  acknowledged: number;
  /** Votes that were there before. */
  readonly counted: number;
  syncs(): Promise<Syncs>;
  stop(): Promise<void>;
}
