/** A value that notifies its subscribers of changes. */
export interface Observable<Value> {
  get(): Value;
  /** Calls `listener` after every `set`. Returns the function that unsubscribes. */
  subscribe(listener: () => void): () => void;
  /** The value that the HTML shows, with which React hydrates. */
  readonly prerendered: Value;
}

export interface MutableObservable<Value> extends Observable<Value> {
  set(value: Value): void;
  prerendered: Value;
}

/** @param prerendered the first value, which the build renders into the HTML */
export function createObservable<Value>(prerendered: Value): MutableObservable<Value> {
  const listeners = new Set<() => void>();
  let current = prerendered;
  return {
    prerendered,
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
