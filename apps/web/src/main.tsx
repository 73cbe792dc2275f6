import './base/tokens.css';
import './base/global.css';
import './base/skeleton.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import type { AppProps } from './app/app.tsx';
import { Page } from './app/page.tsx';
import { reloadIfOutdated } from './base/reload-if-outdated.ts';
import { createLiveResults } from './live/live-results.ts';
import { loadLive } from './live/load-live.ts';
import { fetchNominees, postVote } from './vote/api.ts';
import { createBallotBox } from './vote/ballot-box.ts';
import { loadDialog } from './vote/dialog/load-dialog.ts';
import { storedLastVote } from './vote/last-vote.ts';
import { createNomineeList } from './vote/nominee-list.ts';
import { createVoter } from './vote/voter.ts';

const ballots = createBallotBox({
  vote: createVoter({ post: postVote, wait }),
  loadDialog,
  lastVote: storedLastVote,
});
const props: AppProps = {
  nominees: createNomineeList(fetchNominees),
  ballots,
  live: createLiveResults(loadLive),
};

// Vite's event for a chunk that cannot be loaded.
window.addEventListener('vite:preloadError', () => reloadIfOutdated(ballots.settled));

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const page = <Page {...props} inRouter={(app) => <BrowserRouter>{app}</BrowserRouter>} />;

// A transition renders in slices, which keeps the page responsive on a slow CPU.
startTransition(() => {
  // Only the two screens are prerendered. Other paths have an empty root, and redirect.
  if (root.hasChildNodes()) hydrateRoot(root, page);
  else createRoot(root).render(page);
});

// The message that the scripts do not come.
document.getElementById('late')?.remove();
