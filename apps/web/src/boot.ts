import { reloadIfOutdated } from './app/reload-if-outdated.ts';
import { RETRY_PAUSES_MS, retryStyles } from './app/retry-styles.ts';
import { API_BASE } from './base/api-base.ts';
import { createLastVote } from './base/last-vote.ts';
import { whenOnline } from './base/when-online.ts';
import { type Answer, ask, type Failure } from './live/ask.ts';
import type { Server } from './live/server.ts';
import { fetchNominees, postVote } from './vote/api.ts';
import { loadAppCheck, withAppCheck } from './vote/app-check.ts';
import { createBallotBox } from './vote/ballot-box.ts';
import { loadDialog } from './vote/dialog/load-dialog.ts';
import { castFirstPresses, showFirstCards } from './vote/first-cards.ts';
import { createNomineeList, loadList } from './vote/nominee-list.ts';
import { createVoter } from './vote/voter.ts';

// Both screens are prerendered. Until React has loaded and takes over, this small script shows inicio's
// headline and goty's cards, and sends the votes for them (docs/decisions/0014-votes-before-react.md).

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

if (window.parent !== window) import('./app/embed.ts').then(({ embed }) => embed());

let server: Promise<Server> | undefined;
let early: Promise<Answer | Failure> | undefined;
const nominees = createNomineeList(fetchNominees);
const lastVote = createLastVote();
const ballots = createBallotBox({
  vote: createVoter({ post, wait }),
  loadDialog: () => loadDialog(nominees, loadServer),
  lastVote,
});
const leaveToReact = castFirstPresses(ballots);

const reloadIfNeeded = () => reloadIfOutdated(ballots.settled);
window.addEventListener('vite:preloadError', reloadIfNeeded);
retryStyles(pause, reloadIfNeeded);

const isGoty = window.location.pathname === '/goty';
/** What React finds in the HTML. Once it has begun, there is nothing left to show here. */
let shown: 'skeleton' | 'cards' | 'none' = import.meta.env.PROD ? 'skeleton' : 'none';
if (isGoty) {
  showCards();
} else {
  // As the HTML has preloaded it, or it would be asked for twice.
  early = ask(API_BASE, 'standings');
  showHeadline(early).finally(loadChart);
}
startReact();

/** Connects to the server, once for the whole page. */
function loadServer(): Promise<Server> {
  server ??= import('./live/server.ts').then(
    ({ createServer }) => createServer(early),
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

/**
 * Loads the chunks of the chart beside main. Not before the headline: on a slow line, both it and React would
 * come later. Errors are ignored here: the screen imports the same chunks and shows the failure.
 */
function loadChart() {
  loadServer().catch(() => {});
  import('./results/results.tsx').catch(() => {});
  import('./results/chart/results-chart.tsx').catch(() => {});
}

async function showHeadline(question: Promise<Answer | Failure>) {
  const [answer, { showFirstHeadline }] = await Promise.all([
    question,
    import('./results/headline/first-headline.ts'),
    parsed,
  ]);
  if ('status' in answer) showFirstHeadline(answer);
}

async function startReact() {
  const { start } = await loadMain();
  await parsed;
  leaveToReact();
  const shownNominees = nominees.state.get();
  // A list that is empty or has failed takes the skeleton's place.
  if (isGoty && shown === 'skeleton' && shownNominees.status !== 'loading') shown = 'none';
  const isShown = shown !== 'none';
  start({ loadServer, nominees, shownNominees, ballots, lastVote, isShown, early });
  shown = 'none';
}

/** Meanwhile the HTML shows a message. */
async function loadMain(): Promise<typeof import('./main.tsx')> {
  const address = document.querySelector<HTMLElement>('[data-main]')?.dataset.main;
  for (const [attempt, ms] of RETRY_PAUSES_MS.entries()) {
    try {
      // Most browsers never load a module again that has failed, except from another address.
      const isFirst = attempt === 0 || address === undefined;
      return await (isFirst ? import('./main.tsx') : import(`${address}?${attempt}`));
    } catch {
      reloadIfNeeded();
      await pause(ms);
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

/** Shorter if the connection comes back. */
async function pause(ms: number) {
  await Promise.race([wait(ms), online()]);
}

function online(): Promise<void> {
  return new Promise((resolve) => whenOnline(resolve));
}
