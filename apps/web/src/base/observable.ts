/** A value that notifies its subscribers of changes. */
export interface Observable<Value> {
  get(): Value;
  /** Calls `listener` after every `set`. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

/** An observable that its owner can set. */
export interface MutableObservable<Value> extends Observable<Value> {
  set(value: Value): void;
}

/** Creates an observable with an initial value. */
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
