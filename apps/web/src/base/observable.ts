import { useSyncExternalStore } from 'react';

/** A value that changes, and tells who wants to know. */
export interface Observable<Value> {
  get(): Value;
  /** Calls back after every change. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void;
}

/** The same for its owner. */
export interface MutableObservable<Value> extends Observable<Value> {
  set(value: Value): void;
}

export function createObservable<Value>(initial: Value): MutableObservable<Value> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Its value in a component, which is rendered anew after every change. */
export function useObservable<Value>({ get, subscribe }: Observable<Value>): Value {
  return useSyncExternalStore(subscribe, get, get);
}
