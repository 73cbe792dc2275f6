/** A game without its votes, as `GET /goty` returns it. */
export interface Nominee {
  /** See ids.ts. */
  readonly id: string;
  readonly name: string;
  /** The address of its cover. */
  readonly url: string;
}

/**
 * The revision of a nominee list: a short hash, the same wherever it is computed, and another once
 * the list has changed (32-bit FNV-1a, which misses one change in four billion).
 */
export function revisionOf(nominees: readonly Nominee[]): string {
  const text = JSON.stringify(nominees);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
