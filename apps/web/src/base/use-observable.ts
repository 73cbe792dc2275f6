import { useSyncExternalStore } from 'react';
import type { Observable } from './observable.ts';

/**
 * Returns the current value, and renders the component again when it changes.
 *
 * @param prerendered returns the value that the prerendered HTML shows, if it may differ from the
 *   current one: React hydrates with it
 */
export function useObservable<Value>(
  { get, subscribe }: Observable<Value>,
  prerendered = get,
): Value {
  return useSyncExternalStore(subscribe, get, prerendered);
}
