import { useEffect, useReducer } from 'react';

/** The longest delay that `setTimeout` takes. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Returns the time until `to`, in milliseconds. Renders again at each full second, once it is at most `within`.
 *
 * @param clockOffset how far the clock that decides is ahead of this one, in milliseconds
 */
export function useLeft(to: number, clockOffset: number, within: number): number {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0);
  const left = to - clockOffset - Date.now();

  useEffect(() => {
    if (left < 0) return;
    const next = left > within ? left - within : (left % 1_000) + 1;
    const timer = setTimeout(renderAgain, Math.min(next, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  });

  return left;
}
