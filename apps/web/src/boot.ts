import { reloadIfOutdated } from './app/reload-if-outdated.ts';
import { createLastVote } from './base/last-vote.ts';
import { whenOnline } from './base/when-online.ts';
import type { Server } from './live/server.ts';
import { fetchNominees, postVote } from './vote/api.ts';
import { withAppCheck } from './vote/app-check.ts';
import { createBallotBox } from './vote/ballot-box.ts';
import { loadDialog } from './vote/dialog/load-dialog.ts';
import { castFirstPresses, showFirstCards } from './vote/first-cards.ts';
import { loadAppCheck } from './vote/load-app-check.ts';
import { createNomineeList, loadList } from './vote/nominee-list.ts';
import { createVoter } from './vote/voter.ts';

// Both screens are prerendered. This small script shows goty's cards and sends the votes for them until
// React has loaded and takes over (docs/decisions/0014-votes-before-react.md).

/** The pauses before main is loaded again, in milliseconds. Meanwhile the HTML shows a message. */
const RETRY_PAUSES_MS = [1_000, 3_000, 9_000];

// Hosting serves inicio at every path that it does not know (SPEC W2).
const { pathname } = window.location;
if (import.meta.env.PROD && pathname !== '/inicio' && pathname !== '/goty') {
  window.history.replaceState(undefined, '', '/inicio');
}

// The script is async: it waits neither for the end of the HTML nor for the styles.
const parsed = new Promise<void>((resolve) => {
  if (document.readyState !== 'loading') resolve();
  else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
});

/** Set at build time by operators who use App Check. Without it, nothing of it is in the build. */
const siteKey: string = import.meta.env.VITE_APP_CHECK_SITE_KEY ?? '';
const post = siteKey
  ? withAppCheck({ post: postVote, getToken: loadAppCheck(siteKey), wait })
  : postVote;

let server: Promise<Server> | undefined;
const nominees = createNomineeList(fetchNominees);
const lastVote = createLastVote();
const ballots = createBallotBox({
  vote: createVoter({ post, wait }),
  loadDialog: () => loadDialog(nominees, loadServer),
  lastVote,
});
const leaveToReact = castFirstPresses(ballots);

window.addEventListener('vite:preloadError', () => reloadIfOutdated(ballots.settled));

const isGoty = pathname === '/goty';
/** What React finds in the HTML. Once it has begun, there is nothing left to show here. */
let shown: 'skeleton' | 'cards' | 'none' = import.meta.env.PROD ? 'skeleton' : 'none';
if (isGoty) {
  showCards();
} else {
  // Loads the chunks of the chart in parallel with main, not after it. Errors are ignored here: the
  // screen imports the same chunks and shows the failure.
  loadServer().catch(() => {});
  import('./results/results.tsx').catch(() => {});
  import('./results/chart/results-chart.tsx').catch(() => {});
}
startReact();

/** Connects to the server, once for the whole page. */
function loadServer(): Promise<Server> {
  server ??= import('./live/server.ts').then(
    ({ createServer }) => createServer(),
    (error) => {
      server = undefined;
      throw error;
    },
  );
  return server;
}

async function showCards() {
  const list = await loadList(nominees);
  await parsed;
  if (shown !== 'skeleton' || list.status !== 'ready' || list.nominees.length === 0) return;
  if (showFirstCards(list.nominees)) shown = 'cards';
}

async function startReact() {
  const { start } = await loadMain();
  await parsed;
  leaveToReact();
  const shownNominees = nominees.state.get();
  // A list that is empty or has failed takes the skeleton's place.
  if (isGoty && shown === 'skeleton' && shownNominees.status !== 'loading') shown = 'none';
  start({ loadServer, nominees, shownNominees, ballots, lastVote, isShown: shown !== 'none' });
  shown = 'none';
}

async function loadMain(): Promise<typeof import('./main.tsx')> {
  const address = document.querySelector<HTMLElement>('[data-main]')?.dataset.main;
  for (const [attempt, pause] of RETRY_PAUSES_MS.entries()) {
    try {
      // Most browsers never load a module again that has failed, except from another address.
      const isFirst = attempt === 0 || address === undefined;
      return await (isFirst ? import('./main.tsx') : import(`${address}?${attempt}`));
    } catch {
      reloadIfOutdated(ballots.settled);
      await Promise.race([wait(pause), online()]);
    }
  }
  await online();
  await ballots.settled();
  window.location.reload();
  return new Promise(() => {});
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function online(): Promise<void> {
  return new Promise((resolve) => whenOnline(resolve));
}
