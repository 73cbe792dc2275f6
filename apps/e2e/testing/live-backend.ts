import {
  type Standing,
  type StandingsResponse,
  type StatusResponse,
  totalVotes,
} from '@goty/shared/game';
import type { TimeName } from '@goty/shared/vote-times';
import type { Page } from '@playwright/test';

/** The backend of the page's live results, for a test to route or replace. */
export interface LiveBackend {
  /** The URL pattern of the requests that listen. */
  readonly push: string;
  /** The URL pattern of the requests for status and standings, which every page sends. */
  readonly poll: string;
  /** Replaces the standings and the status. What changes in `status` later, changes there. */
  fakeStandings(standings: readonly Standing[], status?: FakeStatus): Promise<void>;
}

export interface FakeStatus extends Partial<Record<TimeName, number>> {
  final?: boolean;
  changes?: number;
  nominees?: string;
  voteId?: string;
  onePerVisitor?: boolean;
  needsCode?: boolean;
}

const POLL = '**/api/standings';
const BACKENDS = {
  standalone: { push: '**/api/goty/live*', poll: POLL },
  cloud: { push: '**/google.firestore.v1.Firestore/Listen/**', poll: POLL },
};

export function createLiveBackend(page: Page, home: keyof typeof BACKENDS): LiveBackend {
  const backend = BACKENDS[home];
  return {
    ...backend,
    async fakeStandings(standings, status) {
      await page.route(backend.push, () => {});
      await fakeStatus(page, status, standings);
    },
  };
}

/** Answers the page's requests for status and standings. What changes in `status` later, changes there. */
export async function fakeStatus(
  page: Page,
  status: FakeStatus = {},
  standings: readonly Standing[] = [],
) {
  await page.route(POLL, (route) => route.fulfill({ json: buildAnswer(standings, status) }));
}

/** Builds what everybody is told of a vote, now. */
export function buildAnswer(
  standings: readonly Standing[],
  status: Partial<StatusResponse>,
): StandingsResponse {
  return {
    now: Date.now(),
    changes: 0,
    nominees: '',
    voteId: 'v',
    onePerVisitor: false,
    ...status,
    standings,
    tally: totalVotes(standings),
  };
}
