import './base/tokens.css';
import './base/global.css';
import './base/button.css';
import './base/skeleton.css';
import './base/late.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { App, type AppProps } from './app/app.tsx';
import type { LastVote } from './base/last-vote.ts';
import { type Answer, type Failure, phasesAt } from './live/ask.ts';
import type { Client, Known } from './live/client.ts';
import { forgetResetVote } from './live/forget-reset-vote.ts';
import { createLiveResults } from './live/live-results.ts';
import { ALWAYS_OPEN } from './live/vote-status.ts';
import { datePrints } from './share/date-prints.ts';
import { fetchNominees } from './vote/api.ts';
import { followNominees } from './vote/follow-nominees.ts';

export interface Start extends Known, Pick<AppProps, 'nominees' | 'ballots' | 'shownNominees'> {
  readonly lastVote: LastVote;
  /** Rejects if the code for it cannot be loaded. */
  readonly loadClient: () => Promise<Client>;
  /** The server's first answer, if the page has asked already. */
  readonly early: Promise<Answer | Failure> | undefined;
}

/** Starts React. As soon as this has returned, React handles every press. */
export function start({ loadClient, lastVote, early, live: state, voteStatus, ...parts }: Start) {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  // Before the standings, or inicio would show a result that is over as if it were live.
  early?.then((answer) => {
    if (!('status' in answer)) return;
    const { status } = answer;
    voteStatus.set({ ...ALWAYS_OPEN, ...status, ...phasesAt(status.now, status) });
  });
  const live = createLiveResults(state, loadClient);
  const page = (
    <StrictMode>
      <BrowserRouter>
        <App {...parts} lastVote={lastVote} live={live} voteStatus={voteStatus} />
      </BrowserRouter>
    </StrictMode>
  );

  // A transition renders in slices, which keeps the page responsive on a slow CPU. A press in
  // between makes React take over at once.
  startTransition(() => {
    if (import.meta.env.PROD) hydrateRoot(root, page);
    else createRoot(root).render(page);
  });

  keepUpToDate();

  // Removes the message that the scripts have not loaded.
  document.getElementById('late')?.remove();

  async function keepUpToDate() {
    datePrints();
    followNominees(voteStatus, parts.nominees, fetchNominees);
    forgetResetVote(state, voteStatus, lastVote);
    await loadClient();
  }
}
