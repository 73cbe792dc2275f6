import { useEffect, useSyncExternalStore } from 'react';
import { useServices } from '../services.ts';
import type { NomineeListState } from './nominee-list.ts';

/** The nominee list; being shown is its first need. */
export function useNominees(): NomineeListState {
  const { nominees } = useServices();
  useEffect(() => nominees.need(), [nominees]);
  return useSyncExternalStore(nominees.subscribe, nominees.state, nominees.state);
}
