import './base/tokens.css';
import './base/global.css';
import './base/skeleton.css';
import './base/late.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import type { AppProps } from './app/app.tsx';
import { Page } from './app/page.tsx';
import { createObservable } from './base/observable.ts';
import { createLiveResults } from './live/live-results.ts';
import type { Server } from './live/server.ts';
import { ALWAYS_OPEN } from './live/vote-status.ts';

export interface Start
  extends Pick<AppProps, 'nominees' | 'ballots' | 'lastVote' | 'shownNominees'> {
  /** Rejects if the code for it cannot be loaded. */
  readonly loadServer: () => Promise<Server>;
  /** Whether the HTML already shows what React will render. */
  readonly isShown: boolean;
}

/** Starts React. As soon as this has returned, React handles every press. */
export function start({ isShown, loadServer, ...parts }: Start) {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  const voteStatus = createObservable(ALWAYS_OPEN);
  const live = createLiveResults(async () => (await loadServer()).live);
  const props = { ...parts, live, voteStatus };
  const page = <Page {...props} inRouter={(app) => <BrowserRouter>{app}</BrowserRouter>} />;

  // A transition renders in slices, which keeps the page responsive on a slow CPU. A press in
  // between makes React take over at once.
  startTransition(() => {
    if (isShown) hydrateRoot(root, page);
    else createRoot(root).render(page);
  });

  keepUpToDate();

  // Removes the message that the scripts have not loaded.
  document.getElementById('late')?.remove();

  async function keepUpToDate() {
    try {
      const { followServer } = await import('./follow-server.ts');
      followServer(await loadServer(), voteStatus, parts.nominees);
    } catch {
      setTimeout(keepUpToDate, 10_000);
    }
  }
}
