import { API_PATHS } from '@goty/shared/protocol';
import type { MutableObservable } from './base/observable.ts';
import type { ServerPoll } from './live/server-poll.ts';
import type { VoteStatus } from './live/vote-status.ts';
import { fetchNominees } from './vote/api.ts';
import { describePhase } from './vote/describe-phase.ts';
import { followNominees } from './vote/follow-nominees.ts';
import type { NomineeList } from './vote/nominee-list.ts';

/** Keeps the page up to date. Loaded late, because the first JavaScript has no room for it. */
export function followServer(
  server: ServerPoll,
  voteStatus: MutableObservable<VoteStatus>,
  nominees: NomineeList,
) {
  server.watchStatus((status) => voteStatus.set({ ...status, ...describePhase(status) }));
  followNominees(voteStatus, nominees, (revision) => fetchNominees(API_PATHS.nomineesOf(revision)));
}
