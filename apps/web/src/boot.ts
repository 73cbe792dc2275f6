import { reloadWhenLost } from './app/reload-when-lost.ts';
import { API_BASE, AS_PRELOADED } from './base/api-base.ts';
import { createLastVote } from './base/last-vote.ts';
import { type Answer, ask, type Failure } from './live/ask.ts';
import { fetchNominees, postVote } from './vote/api.ts';
import { loadAppCheck, withAppCheck } from './vote/app-check.ts';
import { createBallotBox } from './vote/ballot-box.ts';
import { loadDialog } from './vote/dialog/load-dialog.ts';
import { castFirstPresses, showFirstCards } from './vote/first-cards.ts';
import { createNomineeList, type NomineeListState } from './vote/nominee-list.ts';
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
const post = siteKey ? withAppCheck(postVote, loadAppCheck(siteKey), wait) : postVote;

if (window.parent !== window) import('./app/embed.ts').then(({ embed }) => embed());

let early: Promise<Answer | Failure> | undefined;
const nominees = createNomineeList(fetchNominees);
const lastVote = createLastVote();
const ballots = createBallotBox({
  vote: createVoter(post, wait),
  loadDialog: () => loadDialog(nominees, client),
  lastVote,
});
const leaveToReact = castFirstPresses(ballots);
reloadWhenLost(ballots.settled);

/** The list as React finds it in the HTML: a skeleton or cards. */
let shownNominees: NomineeListState = { status: 'loading' };
if (window.location.pathname === '/goty') {
  showCards();
} else {
  // As the HTML has preloaded it, or it would be asked for twice.
  early = ask(API_BASE, AS_PRELOADED);
  showHeadline(early).finally(loadChart);
}
const client = startReact();

async function showCards() {
  const list = await nominees.ensureLoaded();
  await parsed;
  if (list.status === 'ready' && showFirstCards(list.nominees)) shownNominees = list;
}

async function showHeadline(question: Promise<Answer | Failure>) {
  const [answer, { showFirstHeadline }] = await Promise.all([
    question,
    import('./results/headline/first-headline.ts'),
    parsed,
  ]);
  if ('status' in answer) showFirstHeadline(answer);
}

/**
 * Loads the chunks of the chart beside main. Not before the headline: on a slow line, both it and React would
 * come later. Errors are ignored here: the screen imports the same chunks and shows the failure.
 */
function loadChart() {
  import('./results/results.tsx').catch(() => {});
  import('./results/chart/results-chart.tsx').catch(() => {});
}

async function startReact() {
  const { start } = await import('./main.tsx');
  await parsed;
  leaveToReact();
  return start({ nominees, shownNominees, ballots, lastVote, early });
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
