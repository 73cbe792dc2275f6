import type { DeskState } from '@goty/shared/desk-protocol';
import type { Refusal } from './desk-api.ts';

/** Within this time, every instance has learnt of an act (SPEC N5). */
const INSTANCES_MS = 10_000;

/** How far apart two answers may be to tell of a minute, with a poll every 3 s. */
const MIN_MINUTE_MS = 57_000;
const MAX_MINUTE_MS = 66_000;

interface Asking {
  /** How many requests wait for an answer, and how many of them are acts. */
  readonly waiting: number;
  readonly acting: number;
  /** How many acts there have been. */
  readonly acts: number;
  /** Why there is no newer answer; '' if there is one. */
  readonly refusal: string;
}

/** The desk in this browser. */
export type DeskSession =
  /** Invited by a link that is not used yet: the browser can keep a key, or it cannot. */
  | { readonly status: 'invited'; readonly link: 'unused' | 'unkept' }
  | ({ readonly status: 'opening' } & Asking)
  | ({
      readonly status: 'open';
      readonly desk: DeskState;
      /** What was told in the last minute, oldest first. */
      readonly history: readonly DeskState[];
      /** On `performance.now()`. */
      readonly receivedAt: number;
      /** How far the server's clock is ahead of `performance.now()`, in milliseconds. */
      readonly clockOffset: number;
    } & Asking)
  | { readonly status: 'ended'; readonly why: string };

/** What a request was for, and how many acts there had been when it was sent. */
interface Request {
  readonly kind: 'poll' | 'act';
  readonly acts: number;
}

export type DeskEvent =
  | { readonly type: 'poll-sent' }
  | { readonly type: 'act-sent' }
  | (Request & { readonly type: 'received'; readonly desk: DeskState; readonly at: number })
  | (Request & { readonly type: 'refused'; readonly refusal: Refusal })
  | { readonly type: 'left' };

export const OPENING = { status: 'opening', waiting: 0, acting: 0, acts: 0, refusal: '' } as const;

export function nextDeskState(session: DeskSession, event: DeskEvent): DeskSession {
  if (session.status === 'ended') return session;
  if (event.type === 'left') return { status: 'ended', why: '' };
  const asking = session.status === 'invited' ? OPENING : session;
  const { waiting, acting, acts } = asking;
  if (event.type === 'poll-sent') return { ...asking, waiting: waiting + 1 };
  if (event.type === 'act-sent')
    return { ...asking, waiting: waiting + 1, acting: acting + 1, acts: acts + 1 };
  const settled = {
    ...asking,
    waiting: waiting - 1,
    acting: acting - Number(event.kind === 'act'),
  };
  if (event.type === 'refused' && event.refusal.outcome === 'ended')
    return { status: 'ended', why: event.refusal.why };
  // A poll that was sent before an act may describe the vote as it was before.
  if (event.kind === 'poll' && event.acts !== acts) return settled;
  // Why an act was refused stands at its button.
  if (event.type === 'refused')
    return event.kind === 'act' ? settled : { ...settled, refusal: event.refusal.why };
  const { desk, at } = event;
  const old = session.status === 'open' ? session : undefined;
  if (old && isOutdated(desk, old, at)) return { ...settled, refusal: '' };
  // Only an answer that was asked for it says whether the sums are right.
  const newest = { ...desk, faults: desk.faults ?? old?.desk.faults };
  const clockOffset = newerOffset(desk.now - at, old?.clockOffset);
  const isRecent = ({ now }: DeskState) => now > desk.now - MAX_MINUTE_MS;
  const history = [...(old?.history.filter(isRecent) ?? []), newest];
  const answer = { desk: newest, history, receivedAt: at, clockOffset, refusal: '' };
  return { ...settled, ...answer, status: 'open' };
}

/**
 * The votes that each game got in the last minute, less those that moved to another; `undefined` before the opening, and
 * unless this page was told all votes now and a minute ago, and no act has changed them since.
 */
export function lastMinuteOf(
  history: readonly DeskState[],
): ReadonlyMap<string, number> | undefined {
  const newest = history.at(-1);
  const before = newest && history.findLast((desk) => isMinuteBefore(desk, newest));
  if (!newest || !before || (newest.times.opensAt ?? 0) > newest.now) return undefined;
  const votesBefore = new Map(before.games.map(({ id, votos }) => [id, votos]));
  return new Map(newest.games.map(({ id, votos }) => [id, votos - (votesBefore.get(id) ?? 0)]));
}

function isMinuteBefore(desk: DeskState, newest: DeskState): boolean {
  const [act, lastAct] = [desk, newest].map(({ acts }) =>
    acts.find(({ votes }) => votes !== undefined),
  );
  const isUnchanged = act?.id === lastAct?.id && act?.votes === lastAct?.votes;
  const ms = newest.now - desk.now;
  return isUnchanged && ms >= MIN_MINUTE_MS && ms <= MAX_MINUTE_MS;
}

/** An answer takes its time, so the largest difference is the closest to the truth, unless the server's clock was set. */
function newerOffset(offset: number, old = offset): number {
  return offset < old - INSTANCES_MS ? offset : Math.max(offset, old);
}

/** Whether an instance has told less than another one had before, of which it may not have heard yet. */
function isOutdated(
  { changes }: DeskState,
  known: { readonly desk: DeskState; readonly receivedAt: number },
  now: number,
): boolean {
  return changes < known.desk.changes && now - known.receivedAt < INSTANCES_MS;
}
