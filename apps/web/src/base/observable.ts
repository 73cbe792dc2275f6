/** A value that notifies its subscribers of changes. */
export interface Observable<Value> {
  get(): Value;
  /** Calls `listener` after every `set`. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

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
