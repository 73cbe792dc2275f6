import { useEffect, useState } from 'react';

/** SPEC W23: often enough to follow, rarely enough not to interrupt a screen reader, or to lose its place. */
const HELD_MS = 10_000;

/**
 * Returns what is said of what is shown: a value is held for 10 s, then the newest follows.
 *
 * @param phase another one ends that time at once
 */
export function useHeld<Value>(value: Value, phase: string): Value {
  const hold = () => ({ value, phase, at: performance.now() });
  const [held, setHeld] = useState(hold);
  if (held.phase !== phase) setHeld(hold());
  useEffect(() => {
    if (held.value === value) return;
    const next = () => setHeld({ value, phase, at: performance.now() });
    const timer = setTimeout(next, Math.max(0, held.at + HELD_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [held, value, phase]);
  return held.value;
}
