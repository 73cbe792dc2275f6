import { createContext, useContext } from 'react';
import type { LiveSource } from './live/live-source.ts';
import type { BallotBox } from './vote/ballot-box.ts';
import type { NomineeList } from './vote/nominee-list.ts';

/** What the screens need from outside. main.tsx makes the real ones, tests pass their own. */
export interface Services {
  readonly nominees: NomineeList;
  readonly ballots: BallotBox;
  readonly loadLive: () => Promise<LiveSource>;
}

const ServicesContext = createContext<Services | undefined>(undefined);

export const ServicesProvider = ServicesContext.Provider;

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (!services) throw new Error('ServicesProvider is missing');
  return services;
}
