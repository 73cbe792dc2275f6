import { API_PATHS } from '@goty/shared/protocol';
import type { LastVote } from './base/last-vote.ts';
import type { MutableObservable } from './base/observable.ts';
import type { Client } from './live/client.ts';
import { forgetResetVote } from './live/forget-reset-vote.ts';
import type { LiveResults } from './live/live-results.ts';
import type { VoteStatus } from './live/vote-status.ts';
import { datePrints } from './share/date-prints.ts';
import { fetchNominees } from './vote/api.ts';
import { followNominees } from './vote/follow-nominees.ts';
import type { NomineeList } from './vote/nominee-list.ts';

/** Keeps the page up to date. Loaded late, because the first JavaScript has no room for it. */
export function followServer(
  client: Client,
  voteStatus: MutableObservable<VoteStatus>,
  nominees: NomineeList,
  lastVote: LastVote,
  live: LiveResults,
) {
  datePrints();
  client.watch({ status: voteStatus.set, standings: live.hear });
  forgetResetVote(client.standings, lastVote);
  followNominees(voteStatus, nominees, (revision) => fetchNominees(API_PATHS.nomineesOf(revision)));
}
