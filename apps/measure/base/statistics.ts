/**
 * Measures both subjects in turn, so that whatever else the machine does meets both alike. Every other
 * round begins with the second, which is the reference.
 */
export async function interleave<Subject, Result>(
  rounds: number,
  [subject, reference]: readonly [Subject, Subject],
  measure: (subject: Subject) => Promise<Result>,
): Promise<[Result, Result][]> {
  const pairs: [Result, Result][] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      pairs.push([await measure(subject), await measure(reference)]);
    } else {
      const first = await measure(reference);
      pairs.push([await measure(subject), first]);
    }
  }
  return pairs;
}

/** The median, or the lower one of the middle two. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The median with the extremes: '1.20 (1.00–1.50)'. */
export function withSpread(numbers: readonly number[]): string {
  const [least, middle, most] = [Math.min(...numbers), median(numbers), Math.max(...numbers)];
  return `${middle.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`;
}

/** The median of the ratios to the reference, with the extremes. */
export function ratioOf(values: readonly number[], references: readonly number[]): string {
  return withSpread(values.map((value, round) => value / (references[round] ?? Number.NaN)));
}

/** The number that this share of the others does not exceed. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}
