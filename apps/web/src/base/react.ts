import { type ComponentType, lazy, useSyncExternalStore } from 'react';
import type { Observable } from './observable.ts';

export function useObservable<Value>(observable: Observable<Value>): Value {
  return useSelected(observable, (value) => value);
}

/** Returns a part of the current value, and renders the component again when that part has changed. */
export function useSelected<Value, Part>(
  observable: Observable<Value>,
  select: (value: Value) => Part,
): Part {
  return useSyncExternalStore(
    observable.subscribe,
    () => select(observable.get()),
    () => select(observable.prerendered),
  );
}

/** Loads a component without which the screen is complete. If loading fails, the component renders nothing. */
export function lazyOptional<Props>(load: () => Promise<ComponentType<Props>>) {
  const none: ComponentType<Props> = () => null;
  return lazy(async () => ({ default: await load().catch(() => none) }));
}
