import type { VoteRequest, VoteResponse } from '@goty/shared/game';
import {
  API_PATHS,
  APP_CHECK_HEADER,
  type DecidingStatus,
  IDEMPOTENCY_KEY,
  VOTE_ID_HEADER,
  VOTER_TAG_HEADER,
} from '@goty/shared/protocol';
import { voteTexts } from '@goty/shared/vote-texts';
import { createObservable, type Observable } from '../base/observable.ts';
import { parseVoteResponse } from '../base/parse.ts';
import { type FailureReason, failureReasonOf, request } from '../base/request.ts';
import { isQuestion, type LastVote, randomKey } from '../live/last-vote.ts';
import type { NomineeStore } from '../live/nominees.ts';
import type { VoteFeed } from '../live/vote-feed.ts';

/** The average pauses before the second and the third attempt, in milliseconds. */
const RETRY_PAUSES_MS = [500, 1_500];
/** How long a vote waits for an App Check token, and its outcome for the dialog's chunks: a slow connection needs so long. */
const FALLBACK_AFTER_MS = 5_000;
/** The reCAPTCHA key of App Check is set for the build. Without a key, nothing of App Check is in the build. */
const SITE_KEY: string = import.meta.env.VITE_APP_CHECK_SITE_KEY ?? '';

/**
 * Resolves when the visitor has closed the outcome, with whether to show the result of all votes now. A refusal with `votedAt` is
 * shown as a question, and resolves with the visitor's answer (SPEC W148).
 *
 * @param isAgain whether this visitor knows already that the vote counts, so that there is nothing to celebrate
 */
export type ShowOutcome = (
  response: VoteResponse,
  gameId: string,
  isAgain: boolean,
) => Promise<boolean>;

/** Casts the visitor's votes, one at a time. A vote goes on when the visitor changes to another screen (SPEC W9). */
export interface VoteCaster {
  /**
   * The id of the game whose vote is being sent; `undefined` if none is. '' after a press that has sent nothing, because the page
   * knows of the visitor's earlier vote, as long as the question whether to change that vote is not shown yet.
   */
  readonly voting: Observable<string | undefined>;
  /** Loads the dialog ahead of the vote, after which there may be no connection (SPEC W28). */
  prepare(): void;
  /**
   * Resolves as `ShowOutcome` does; with `false`, and without a vote, while another vote is in progress.
   *
   * @param isChange whether the visitor's vote is for another game: the visitor has to agree before a vote is sent, if the page
   * knows when the earlier vote was cast
   */
  cast(gameId: string, isChange?: boolean): Promise<boolean>;
  /** Resolves when no vote is in progress and the last outcome is closed. */
  settled(): Promise<unknown>;
}

/**
 * @param loadDialog called ahead of the first vote and at each vote, which is sent without waiting for it. Must not reject
 * @param post must not reject
 */
export function createVoteCaster(
  lastVote: Omit<LastVote, 'subscribe' | 'prerendered'>,
  loadDialog: () => Promise<ShowOutcome>,
  post = postVote,
): VoteCaster {
  const voting = createObservable<string | undefined>(undefined);
  /** While nobody knows whether a press was counted, a new press has the same key, so that only one counts (SPEC W9). */
  const undecidedKeys = new Map<string, string>();
  let sent: VoteRequest = {};
  let current = Promise.resolve(false);

  return {
    voting,
    prepare: () => void loadDialog(),
    settled: () => current,
    async cast(gameId, isChange = false) {
      if (voting.get() !== undefined) return false;
      current = run(gameId, (isChange && questionFromMemory()) || send(gameId));
      return current;
    },
  };

  /** Returns what the server would answer, and sets `voting` to ''; `undefined` if it is not known when the visitor voted. */
  function questionFromMemory(): VoteResponse | undefined {
    const votedAt = lastVote.votedAt();
    if (votedAt === undefined) return undefined;
    voting.set('');
    return { ok: false, mensaje: '', votedFor: lastVote.get() ?? '', votedAt };
  }

  /** @param answer requested before this is called, because asking for the files of the dialog takes a slow phone a while */
  async function run(
    gameId: string,
    answer: VoteResponse | Promise<VoteResponse>,
  ): Promise<boolean> {
    const dialog = loadDialog();
    let response = await answer;
    const { ok, votedFor, votedAt } = response;
    // A visitor whose first answer was lost has not been thanked yet, so the server's word alone does not make this a vote again.
    const isAgain = ok && votedFor === gameId && lastVote.get() === gameId;
    const counted = ok ? gameId : votedFor;
    // An answer without `votedAt` to another vote for the same game is not saved, because the saved vote would lose its time.
    if (counted && (votedAt || counted !== lastVote.get())) {
      const isKept = lastVote.save(counted, votedAt, sent.code);
      if (!isKept) response = { ...response, votedAt: undefined };
    }
    const showOutcome = await dialog;
    voting.set(undefined);
    const goesOn = await showOutcome(response, gameId, isAgain);
    return goesOn && isQuestion(response) ? run(gameId, send(gameId, votedAt)) : goesOn;
  }

  /**
   * The vote is sent again with the same key if the server cannot be reached or is busy (SPEC W19).
   *
   * @param replaces when the vote that this one replaces was cast, in milliseconds since the Unix epoch
   */
  async function send(gameId: string, replaces?: number): Promise<VoteResponse> {
    voting.set(gameId);
    const key = lastVote.visitorKey() ?? undecidedKeys.get(gameId) ?? randomKey();
    undecidedKeys.set(gameId, key);
    sent = { replaces, ...lastVote.toSend() };
    let result = await post(gameId, key, sent);
    for (const pause of RETRY_PAUSES_MS) {
      if (result.state !== 'retryable') break;
      // Each pause is 50 to 150 % of the average, so that pages that failed together do not retry together.
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
      result = await post(gameId, key, sent);
    }
    if (result.state === 'decided') undecidedKeys.delete(gameId);
    const { response, voteId, voterTag } = result;
    if (voteId !== undefined) lastVote.learn({ voteId });
    // A browser without its cookie is refused without `votedAt`, and the tag in that answer is another voter's.
    if (response.votedAt !== undefined) lastVote.learn({ voterTag });
    if (response.ok) lastVote.learn({ onePerVisitor: response.votedAt !== undefined });
    return response;
  }
}

/**
 * Loads the dialog, or resolves with a plain one if loading fails or takes too long. Never rejects.
 *
 * @param client resolves once React has started
 */
export async function loadDialog(
  nominees: NomineeStore,
  client: Promise<VoteFeed>,
): Promise<ShowOutcome> {
  const show = await withFallback(importDialog(nominees, client), showPlain);
  return (response, gameId, isAgain) => {
    const [from, to] = [response.votedFor, gameId].map(
      (voted) => nominees.state.get().nominees?.find(({ id }) => id === voted)?.name,
    );
    // If this page's list lacks one of the games, the server's own sentence names it.
    const mensaje = isQuestion(response) && from && to && voteTexts.dialog.change.text(from, to);
    return show(mensaje ? { ...response, mensaje } : response, gameId, isAgain);
  };
}

export interface VoteResult {
  /** What to tell the visitor: the server's own response, or a fallback (SPEC W7). */
  readonly response: VoteResponse;
  /**
   * 'decided': the server has counted or refused the press. Otherwise only a request with the same key can tell: the page sends
   * one soon ('retryable'), or the next press on this game does ('undecided').
   */
  readonly state: 'decided' | 'retryable' | 'undecided';
  /** The id of the vote as a whole in which the server has counted this press or an earlier one. */
  readonly voteId?: string | undefined;
  /**
   * The tag stands for the voter as whom the server has taken this press. The page sends it with its next press, so that the
   * server notices if it takes the page for another voter (SPEC V15).
   */
  readonly voterTag?: string | undefined;
}

/**
 * Sends a vote: `POST /goty/{id}`. Never rejects.
 *
 * @param key the Idempotency-Key of the press, which counts once however often it is sent
 * @param getToken resolves with a token of App Check, which shows that the vote comes from this page. May reject
 */
export async function postVote(
  gameId: string,
  key: string,
  body: VoteRequest = {},
  getToken = SITE_KEY && loadToken,
): Promise<VoteResult> {
  // Without a token, for example because a blocker stops reCAPTCHA, the page sends the vote all the same, and the server decides.
  const token = getToken ? await withFallback(getToken(), undefined) : undefined;
  const answer = await request(API_PATHS.vote(encodeURIComponent(gameId)), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      [IDEMPOTENCY_KEY]: key,
      ...(token !== undefined && { [APP_CHECK_HEADER]: token }),
    },
    body: JSON.stringify(body),
    // The request outlives the page: visitors who leave have voted all the same.
    keepalive: true,
  });
  if (typeof answer === 'string') return failedResult(answer);
  const response = parseVoteResponse(answer.body);
  const { headers } = answer.response;
  const voteId = headers.get(VOTE_ID_HEADER) ?? undefined;
  const voterTag = headers.get(VOTER_TAG_HEADER) ?? undefined;
  return response
    ? { response, state: stateOf(answer.response), voteId, voterTag }
    : failedResult(failureReasonOf(answer.response));
}

const DECIDING: Record<DecidingStatus, 1> = { 200: 1, 400: 1, 403: 1, 404: 1, 409: 1, 422: 1 };

function stateOf({ status }: Response): VoteResult['state'] {
  if (status === 503) return 'retryable';
  return status in DECIDING ? 'decided' : 'undecided';
}

function failedResult(reason: FailureReason): VoteResult {
  const mensaje = `${voteTexts.failures[reason]} ${voteTexts.dialog.once}`;
  const isBrief = reason === 'unreachable' || reason === 'busy';
  return { response: { ok: false, mensaje }, state: isBrief ? 'retryable' : 'undecided' };
}

async function loadToken(): Promise<string | undefined> {
  const { getAppCheckToken } = await import('./app-check-token.ts');
  return getAppCheckToken(SITE_KEY);
}

function withFallback<Value>(loading: Promise<Value>, fallback: Value): Promise<Value> {
  const late = new Promise<Value>((resolve) => setTimeout(resolve, FALLBACK_AFTER_MS, fallback));
  return Promise.race([loading.catch(() => fallback), late]);
}

// An `import().then(…, …)` would not catch it if the styles fail to load, because Vite loads them before the import.
async function importDialog(nominees: NomineeStore, client: Promise<VoteFeed>) {
  const { createDialog } = await import('./dialog.ts');
  return createDialog(nominees, client);
}

/** The plain dialog, for a connection that was lost before the real dialog could be loaded. */
const showPlain: ShowOutcome = (response) => {
  const { success, failure, confirm, change } = voteTexts.dialog;
  const dialog = document.createElement('dialog');
  const asks = isQuestion(response);
  const outcome = response.ok ? success : failure;
  dialog.ariaLabel = asks ? change.title : outcome;
  const buttons = asks
    ? `<button class="button quiet">${change.no}</button> <button class=button value=1>${change.yes}`
    : `<button class=button>${confirm}`;
  dialog.innerHTML = `<form method=dialog><h2>${dialog.ariaLabel}</h2><p></p>${buttons}`;
  dialog.querySelector('p')?.append(response.mensaje);
  document.body.append(dialog);
  // The second click of a double click on the card must not agree to the question.
  dialog.onclick = ({ detail }) => detail < 2;
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove();
      resolve(Boolean(dialog.returnValue));
    };
  });
};
