import './base/tokens.css';
import './base/button.css';
// global.css is imported after button.css, because a button's skeleton must not have the colours of the button.
import './base/global.css';
import { CODE_NAME, DESK_NAME, LANGUAGE } from '@goty/shared/protocol';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { App, type AppProps } from './app/app.tsx';
import { isStageHash } from './base/request.ts';
import type { StandingsAnswer } from './live/fetch-standings.ts';
import { followNominees } from './live/follow-nominees.ts';
import type { LastVote } from './live/last-vote.ts';
import { createVoteFeed, type VoteFeed } from './live/vote-feed.ts';

export interface Start extends Pick<AppProps, 'nominees' | 'caster'> {
  readonly lastVote: LastVote;
  readonly early: Promise<StandingsAnswer> | undefined;
}

/** Connects to the server, and starts React. As soon as this has returned, React handles every press. */
export function startPage({ early, ...parts }: Start): VoteFeed {
  const root = document.getElementById('root');
  if (!root) throw new Error('no #root');
  const client = createVoteFeed(early);
  const page = (
    <StrictMode>
      <BrowserRouter>
        <App {...parts} {...client} />
      </BrowserRouter>
    </StrictMode>
  );

  // A transition renders in slices, which keeps the page responsive on a slow CPU. A press makes React take over at once.
  startTransition(() => {
    // React can take over only what is in the HTML: there is no stage in it, and in development no screen at all.
    if (import.meta.env.PROD && !isStageHash(window.location.hash)) hydrateRoot(root, page);
    else createRoot(root).render(page);
  });

  followNominees(client.known, parts.nominees);
  tellVote(client.known, parts.lastVote);
  window.addEventListener('beforeprint', datePrint);
  // A link with a code may be opened in a tab that shows the page already. The page reloads itself, to take the code.
  window.addEventListener('hashchange', () => {
    const isOf = (name: string) => window.location.hash.startsWith(`#${name}=`);
    if (isOf(DESK_NAME) || isOf(CODE_NAME)) window.location.reload();
  });

  // Removes the message that the scripts have not loaded.
  document.getElementById('late')?.remove();
  return client;
}

/** Tells the page's memory of votes which vote as a whole is the present one, and whether each visitor has one vote in it. */
export function tellVote(known: VoteFeed['known'], lastVote: LastVote) {
  known.subscribe(() => {
    const { voteId, onePerVisitor } = known.get().status;
    if (voteId !== undefined) lastVote.learn({ voteId, onePerVisitor });
  });
}

/** Writes the time of printing into the page; global.css shows it there (SPEC W125). */
export function datePrint() {
  const now = new Date().toLocaleString(LANGUAGE, { dateStyle: 'long', timeStyle: 'short' });
  document.body.dataset.printed = now;
}
