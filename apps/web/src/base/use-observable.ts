import { useSyncExternalStore } from 'react';
import type { Observable } from './observable.ts';

/**
 * Returns the current value, and renders the component again when it changes.
 *
 * @param prerendered returns what the HTML shows that React takes over, if the value may have changed
 */
export function useObservable<Value>(
  { get, subscribe }: Observable<Value>,
  prerendered = get,
): Value {
  return useSyncExternalStore(subscribe, get, prerendered);
}
