import type { VoteResponse } from '@goty/shared/game';
import { gotyTexts } from '@goty/shared/goty-texts';
import { isCoverUrl, type Nominee } from '@goty/shared/nominee';
import { shareButtonTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
// The default entry of SweetAlert2 injects its styles into the page, which the page's CSP forbids.
import Swal, { type SweetAlertOptions } from 'sweetalert2/dist/sweetalert2.js';
import 'sweetalert2/dist/sweetalert2.css';
import './dialog.css';
import { gameColor } from '../base/colors.ts';
import { throwConfetti } from '../base/confetti.ts';
import { isSecret, isVoting } from '../live/fetch-standings.ts';
import { isQuestion } from '../live/last-vote.ts';
import type { NomineeStore } from '../live/nominees.ts';
import type { VoteFeed } from '../live/vote-feed.ts';
import { screenUrl, share } from '../share/share.ts';
import { describePlace, uncoverFocus } from './after-vote.ts';

const TROPHY_URL = '/trophy.svg';
/** The games' colours that are bright enough for both themes. */
const COLORS = [1, 2, 7, 9, 10, 11, 13].map((index) => gameColor(index));

/**
 * The outcome is shown as text and not as HTML: see `ShowOutcome` in cast-vote.ts.
 *
 * @param client resolves once React has started, and rejects if React cannot be loaded
 */
export function createDialog(nominees: NomineeStore, client: Promise<VoteFeed>) {
  return async (response: VoteResponse, gameId: string, isAgain: boolean) => {
    const { ok, mensaje } = response;
    const { change, confirm } = voteTexts.dialog;
    const asks = isQuestion(response);
    const nominee = nominees.state.get().nominees?.find(({ id }) => id === gameId);
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const closing = new AbortController();
    const closed = closing.signal;
    // The browser's Back leads to another screen, to which the dialog does not belong, so it closes.
    window.addEventListener('popstate', () => Swal.close(), { signal: closed });
    document.addEventListener('keydown', ignoreKeyRepeat, { capture: true, signal: closed });
    if (asks)
      document.addEventListener('click', ignoreSecondClick, { capture: true, signal: closed });
    void closeWithVote(client, asks, closed);
    const { activeElement } = document;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const outcome = ok ? success(nominee?.url) : FAILURE;
    const { isDenied } = await Swal.fire({
      // The second click of a double click on the card would close the dialog unread.
      allowOutsideClick: false,
      animation: !isStill,
      buttonsStyling: false,
      confirmButtonText: asks ? change.no : confirm,
      scrollbarPadding: false,
      text: isAgain && nominee ? gotyTexts.again(nominee.name) : mensaje,
      // 'Ver el resultado' looks like the main button, because a vote leads there. In a question, the focus is on the button that
      // changes nothing.
      customClass: {
        popup: ok ? 'goty-thanks' : '',
        confirmButton: ok || asks ? 'button quiet' : 'button',
        denyButton: 'button',
      },
      denyButtonText: asks ? change.yes : texts.goty.toResult,
      reverseButtons: true,
      showDenyButton: ok || asks,
      ...(asks ? { titleText: change.title } : outcome),
      didOpen(popup) {
        if (!ok || !nominee) return;
        const place = addThanks(popup, nominee, isAgain, isStill);
        showPlace(place, nominee, client, closed);
      },
      // SweetAlert2 would scroll to the button of a card whose cover was pressed, so `didClose` returns the focus.
      returnFocus: false,
      didClose() {
        if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
        uncoverFocus();
        end();
      },
    });
    closing.abort();
    // After the question comes the dialog of the outcome, which has to find the focus where it was returned to.
    if (asks) await ended;
    return isDenied;
  };
}

function success(cover = ''): SweetAlertOptions {
  return {
    imageAlt: '',
    imageUrl: isCoverUrl(cover) ? cover : TROPHY_URL,
    titleText: voteTexts.dialog.success,
  };
}

// A '!' stands in place of SweetAlert2's icon, which is drawn with backgrounds that forced colours remove.
const FAILURE: SweetAlertOptions = {
  icon: 'error',
  iconHtml: '!',
  titleText: voteTexts.dialog.failure,
};

/** Ignores the repeats of a key that is still held down since it voted: they would close the dialog unread. */
function ignoreKeyRepeat(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault();
}

/** Ignores the second click of a double click on the card: the question may be there already, and the click could agree to it. */
function ignoreSecondClick(event: MouseEvent) {
  if (event.detail > 1) event.stopPropagation();
}

/**
 * A visitor who has been thanked before gets neither trophy nor confetti.
 *
 * @returns the element for the game's place, once that is known
 */
function addThanks(popup: HTMLElement, nominee: Nominee, isAgain: boolean, isStill: boolean) {
  const cover = popup.querySelector<HTMLImageElement>('.swal2-image');
  cover?.addEventListener('error', () => cover.setAttribute('src', TROPHY_URL), { once: true });
  if (!isAgain) {
    const trophy = Object.assign(new Image(), {
      className: 'goty-trophy',
      src: TROPHY_URL,
      alt: '',
    });
    cover?.after(trophy);
    const confetti = { reach: 160, colors: COLORS, ms: 1_400 };
    if (!isStill) throwConfetti(popup.parentElement ?? document.body, trophy, confetti);
  }

  const place = createStatus('goty-place');
  popup.querySelector('.swal2-html-container')?.after(place, ...createShare(nominee));
  return place;
}

/** The place is taken from the first answer of the server after the vote. If no answer comes, the dialog does without. */
async function showPlace(
  place: HTMLElement,
  { id }: Nominee,
  loading: Promise<VoteFeed>,
  closed: AbortSignal,
) {
  const client = await loading.catch(() => undefined);
  await client?.refresh();
  if (!client || closed.aborted) return;
  const { known } = client;
  const tell = () => {
    const { phase } = known.get().status;
    // Only the screens say who has won, all at the same time (SPEC W146), so the dialog tells no place once voting is over.
    const isTold = isVoting(phase) && !isSecret(phase);
    const over = phase === 'before' ? '' : texts.goty.notices[phase];
    const untold = isVoting(phase) ? texts.inicio.leads.frozen : over;
    place.textContent = isTold ? describePlace(known.get(), id) : untold;
  };
  tell();
  closed.addEventListener('abort', known.subscribe(tell));
}

/** Closes the dialog after a reset, and a question once voting has ended, because nothing can come of them then. */
async function closeWithVote(loading: Promise<VoteFeed>, asks: boolean, closed: AbortSignal) {
  const feed = await loading.catch(() => undefined);
  if (!feed || closed.aborted) return;
  let { voteId } = feed.known.get().status;
  const closeOnceOver = () => {
    const { status } = feed.known.get();
    // Before the first answer, the page knows no id of the vote as a whole, so the first that it learns counts as this one's.
    voteId ??= status.voteId;
    if (voteId !== status.voteId || (asks && !isVoting(status.phase))) Swal.close();
  };
  closed.addEventListener('abort', feed.known.subscribe(closeOnceOver));
}

/** Returns nothing if the page has no address that others can open. */
function createShare({ name }: Nominee): HTMLElement[] {
  const url = screenUrl('/goty');
  if (url === undefined) return [];
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet goty-share';
  button.textContent = shareButtonTexts.share;
  const outcome = createStatus('shared');
  button.addEventListener('click', async () => {
    outcome.textContent = await share(shareButtonTexts.voted(name, true), url);
  });
  return [button, outcome];
}

function createStatus(className: string): HTMLElement {
  return Object.assign(document.createElement('p'), { className, role: 'status' });
}
