import type { Standing } from '@goty/shared/game';

/** Returns the votes that each game has more than earlier, by its id. Games that are new have none. */
export function gainsSince(
  earlier: readonly Standing[],
  standings: readonly Standing[],
): ReadonlyMap<string, number> {
  const before = new Map(earlier.map(({ id, votos }) => [id, votos]));
  return new Map(
    standings
      .map(({ id, votos }) => [id, votos - (before.get(id) ?? votos)] as const)
      .filter(([, gain]) => gain > 0),
  );
}
