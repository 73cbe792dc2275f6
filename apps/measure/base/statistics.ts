/**
 * Measures both in turn, so that whatever else the machine does meets both alike. Every other round
 * begins with the reference.
 */
export async function interleave<Result>(
  rounds: number,
  measure: () => Promise<Result>,
  reference: () => Promise<Result>,
): Promise<[Result, Result][]> {
  const pairs: [Result, Result][] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const first = await measure();
      pairs.push([first, await reference()]);
    } else {
      const first = await reference();
      pairs.push([await measure(), first]);
    }
  }
  return pairs;
}

/** The median, or the lower one of the middle two. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The number that this share of the others does not exceed. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}
