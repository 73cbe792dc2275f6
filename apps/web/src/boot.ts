import { reloadWhenLost } from './app/reload.ts';
import { AS_PRELOADED, isStageHash } from './base/request.ts';
import { takeCode } from './base/take-code.ts';
import { fetchStandings, type StandingsAnswer } from './live/fetch-standings.ts';
import { createLastVote } from './live/last-vote.ts';
import { createNominees } from './live/nominees.ts';
import { createVoteCaster, loadDialog } from './vote/cast-vote.ts';
import { castFirstPresses, showFirstCards } from './vote/first-cards.ts';

// Before React has loaded, this script shows headline and cards, and sends votes (docs/decisions/0014-votes-before-react.md).

// Resolves when the HTML is parsed. This script is async: it waits neither for the end of the HTML nor for the styles.
const parsed = new Promise<void>((resolve) => {
  if (document.readyState !== 'loading') resolve();
  else document.addEventListener('DOMContentLoaded', () => resolve(), { once: true });
});

if (window.parent !== window) import('./app/embed.ts').then(({ embed }) => embed());

let early: Promise<StandingsAnswer> | undefined;
const nominees = createNominees();
const lastVote = createLastVote();
const caster = createVoteCaster(lastVote, () => loadDialog(nominees, client));
const leaveToReact = castFirstPresses(caster);
reloadWhenLost(caster.settled);

if (window.location.pathname === '/goty') {
  showCards();
} else {
  // The request has to be like the HTML's preload, or the browser would load the standings twice.
  early = fetchStandings(AS_PRELOADED);
  if (isStageHash(window.location.hash)) import('./stage/stage.tsx').catch(() => {});
  else showHeadline(early).finally(loadChart);
}
const client = startReact();
takeCode(lastVote.setCode);

async function showCards() {
  await nominees.ensureLoaded();
  await parsed;
  showFirstCards(nominees);
}

async function showHeadline(question: Promise<StandingsAnswer>) {
  const [answer, { showFirstHeadline }] = await Promise.all([
    question,
    import('./inicio/first-headline.ts'),
    parsed,
  ]);
  if ('status' in answer) showFirstHeadline(answer);
}

/** The chart's chunks load after the headline, so as not to delay it. Errors are ignored: the screen imports the chunks, too. */
function loadChart() {
  import('./inicio/results.tsx').catch(() => {});
  import('./inicio/chart.tsx').catch(() => {});
}

async function startReact() {
  const { startPage } = await import('./main.tsx');
  await parsed;
  leaveToReact();
  return startPage({ nominees, caster, lastVote, early });
}
