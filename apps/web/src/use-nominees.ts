import { useEffect, useSyncExternalStore } from 'react';
import type { NomineeListState } from './nominee-list.ts';
import { useServices } from './services.ts';

/** The nominee list; being shown is its first need. */
export function useNominees(): NomineeListState {
  const { nominees } = useServices();
  useEffect(() => nominees.need(), [nominees]);
  return useSyncExternalStore(nominees.subscribe, nominees.state, nominees.state);
}
