import type { DeskState } from '@goty/shared/desk-protocol';
import type { Standing } from '@goty/shared/game';
import type { Refusal } from './desk-api.ts';

/** Within this time, every instance has learnt of an act (SPEC N5). */
const INSTANCES_MS = 10_000;

/** As every 3 s a poll tells the votes, or every 12 s a count of hidden ones, one of these is about a minute older than the next. */
const [MIN_MINUTE_MS, MAX_MINUTE_MS] = [57_000, 66_000];
/** Votes that were counted earlier say nothing of the last minute. */
const MAX_COUNT_AGE_MS = 15_000;

/** All votes at a time. */
interface DatedVotes {
  /** By the server's clock. */
  readonly at: number;
  readonly games: readonly Standing[];
  /** Names the last act that has changed votes, and what it has done. */
  readonly act: string;
}

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
      readonly counts: readonly DatedVotes[];
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
  const newest = old ? withNewerCount(desk, old.desk) : desk;
  const clockOffset = newerOffset(desk.now - at, old?.clockOffset);
  const counts = withCount(old?.counts ?? [], newest);
  const open = { desk: newest, counts, receivedAt: at, clockOffset, refusal: '' };
  return { ...settled, ...open, status: 'open' };
}

/**
 * The votes that each game got in the last minute, without those that changed to another game; `undefined` unless this page
 * has seen all votes now and a minute ago, and no act has changed them since. Nothing is asked for it.
 */
export function lastMinuteOf(
  counts: readonly DatedVotes[],
  now: number,
): ReadonlyMap<string, number> | undefined {
  const newest = counts.at(-1);
  if (!newest || now - newest.at > MAX_COUNT_AGE_MS) return undefined;
  const before = counts.findLast(({ at }) => newest.at - at >= MIN_MINUTE_MS);
  const votesBefore = new Map(before?.games.map(({ id, votos }) => [id, votos]));
  return (
    before && new Map(newest.games.map(({ id, votos }) => [id, votos - (votesBefore.get(id) ?? 0)]))
  );
}

function withCount(counts: readonly DatedVotes[], desk: DeskState): readonly DatedVotes[] {
  const { acts, games, now, times, countedAt } = desk;
  // Until hidden votes have been counted, the others say nothing.
  const at = (times.frozenAt ?? Infinity) > now ? now : countedAt;
  if (at === undefined) return [];
  const { id = '', votes = 0 } = acts.find((act) => act.votes !== undefined) ?? {};
  const act = `${id} ${votes}`;
  const recent = counts.filter(
    (count) => count.act === act && count.at < at && at - count.at <= MAX_MINUTE_MS,
  );
  return [...recent, { at, games, act }];
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

/**
 * Keeps the newer count of hidden votes. Each instance counts by itself, in the cloud only when the operator presses,
 * and an answer may come before its count.
 */
function withNewerCount(desk: DeskState, old: DeskState): DeskState {
  const { games, faults, countedAt = 0 } = old;
  const { frozenAt = Infinity } = desk.times;
  const isNewer = countedAt >= frozenAt && countedAt > (desk.countedAt ?? 0);
  return isNewer ? { ...desk, games, faults, countedAt } : desk;
}
