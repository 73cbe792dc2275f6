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
import type { Answer, Failure } from './live/ask.ts';
import { type Client, createClient } from './live/client.ts';
import { forgetResetVote } from './live/forget-reset-vote.ts';
import { datePrints } from './share/date-prints.ts';
import { fetchNominees } from './vote/api.ts';
import { followNominees } from './vote/follow-nominees.ts';

export interface Start extends Pick<AppProps, 'nominees' | 'ballots' | 'shownNominees'> {
  readonly lastVote: LastVote;
  /** The server's first answer, if the page has asked already. */
  readonly early: Promise<Answer | Failure> | undefined;
}

/** Connects to the server, and starts React. As soon as this has returned, React handles every press. */
export function start({ early, ...parts }: Start): Client {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  const client = createClient(early);
  const page = (
    <StrictMode>
      <BrowserRouter>
        <App {...parts} {...client} />
      </BrowserRouter>
    </StrictMode>
  );

  // A transition renders in slices, which keeps the page responsive on a slow CPU. A press in
  // between makes React take over at once.
  startTransition(() => {
    if (import.meta.env.PROD) hydrateRoot(root, page);
    else createRoot(root).render(page);
  });

  datePrints();
  followNominees(client.voteStatus, parts.nominees, fetchNominees);
  forgetResetVote(client, parts.lastVote);

  // Removes the message that the scripts have not loaded.
  document.getElementById('late')?.remove();
  return client;
}
