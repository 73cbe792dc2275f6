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
