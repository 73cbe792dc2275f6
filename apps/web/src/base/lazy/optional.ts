import { type ComponentType, lazy } from 'react';

/** Loads what the screen is complete without. If that fails, nothing is in its place. */
export function optional<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() };
    } catch {
      return { default: () => null };
    }
  });
}
