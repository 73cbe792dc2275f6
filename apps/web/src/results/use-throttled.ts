import { useEffect, useRef, useState } from 'react';

/**
 * Returns `value`, updated at most once in `ms` milliseconds. The last value always follows.
 *
 * @param occasion if it changes, `value` is returned at once; the interval goes on as before
 */
export function useThrottled<Value>(value: Value, ms: number, occasion?: string): Value {
  const [shown, setShown] = useState(value);
  const [shownOccasion, setShownOccasion] = useState(occasion);
  const shownAt = useRef(Date.now());

  if (occasion !== shownOccasion) {
    setShownOccasion(occasion);
    setShown(value);
  }

  useEffect(() => {
    if (Object.is(value, shown)) return;
    const wait = Math.max(0, shownAt.current + ms - Date.now());
    const timer = setTimeout(() => {
      shownAt.current = Date.now();
      setShown(value);
    }, wait);
    return () => clearTimeout(timer);
  }, [value, shown, ms]);

  return shown;
}

/** Returns an earlier `value`: the newest one follows `ms` milliseconds after the first change. */
export function useLagging<Value>(value: Value, ms: number): Value {
  const [lagging, setLagging] = useState(value);
  const newest = useRef(value);
  const isBehind = !Object.is(value, lagging);

  useEffect(() => {
    newest.current = value;
  }, [value]);

  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => setLagging(newest.current), ms);
    return () => clearTimeout(timer);
  }, [isBehind, lagging, ms]);

  return lagging;
}
