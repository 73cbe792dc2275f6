import type { DeskReport, DeskResponse } from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { totalVotes } from '@goty/shared/game';
import { phaseAt } from '@goty/shared/protocol';
import type { TimesChange } from '@goty/shared/vote-times';
import { useEffect, useRef, useState } from 'react';
import { useNow } from '../base/countdown.tsx';
import { HOUR_MS } from '../base/durations.ts';
import { formatCount, formatTime, formatVotes } from '../base/format.ts';
import { useSelected } from '../base/react.ts';
import type { LiveState } from '../live/live-state.ts';
import type { DeskFeed } from '../live/vote-feed.ts';
import { ConfirmButton, type FailedPress, FailedPressContext } from './confirm-button.tsx';
import styles from './desk.module.css';
import {
  type DeskResult,
  fetchDesk,
  forgetKey,
  hasKey,
  readLinkState,
  requestBrowserChange,
  requestRecount,
  requestTimes,
  requestVoidChange,
  toAnswer,
} from './desk-api.ts';
import { lastMinuteOf, withNewest } from './last-minute.ts';
import { Anomalies, BrowserList, Ranking, RecordList } from './lists.tsx';

const MORE_MS = 5 * 60_000;
const CLOCK_TICK_MS = 250;

/** The operator's desk: what the vote is doing, and what can be done now (SPEC D). */
export function Desk(feed: DeskFeed) {
  const { session, open, report, refusal, isActing, send, leave } = useDesk(feed);
  const { clockOffset } = useSelected(feed.known, (now) => now.status);
  const gained = useLastMinute(report);
  const [failure, setFailure] = useState<FailedPress>();
  if (session.status === 'invited') {
    return (
      <section className={styles.desk} aria-label={deskTexts.title}>
        <h2>{deskTexts.title}</h2>
        {/* Only a press uses up the link: programs that look at links run scripts, too. */}
        <p>{session.link === 'unkept' ? deskTexts.unkept : deskTexts.invited}</p>
        {session.link === 'unused' && (
          <button type="button" className="button" onClick={open}>
            {deskTexts.open}
          </button>
        )}
      </section>
    );
  }
  if (session.status === 'ended' || !report) {
    const text = session.status === 'ended' ? session.why : refusal?.why;
    return text && <p className={styles.desk}>{text}</p>;
  }
  // The desk does not follow the standings by itself: it is rendered with inicio, as often as inicio draws.
  const desk = asOfPage(report, feed.known.get());
  const { codesMade, timesRevision, voided } = desk;
  // A voided vote has used its voting code all the same, so it is counted here.
  const voted = totalVotes(desk.games) + voided;
  const act = async (request: DeskRequest) => failureOf(await send(request));
  const change = (wish: DeskWish) => act(() => requestTimes({ ...wish, timesRevision }));
  return (
    <section className={styles.desk} aria-label={deskTexts.title} aria-busy={isActing}>
      <h2>{deskTexts.title}</h2>
      <p>{deskTexts.vote(window.location.host)}</p>
      {refusal && <p role="alert">{refusal.why}</p>}
      {!refusal && desk.isHealthy && <p data-healthy="true">{deskTexts.healthy}</p>}
      {!refusal && !desk.isHealthy && (
        <p role="alert" data-healthy="false">
          {deskTexts.unhealthy}
        </p>
      )}
      <FailedPressContext value={[failure, setFailure]}>
        <PhasePanel
          {...desk}
          clockOffset={clockOffset}
          change={change}
          recount={() => send(requestRecount)}
        />
        <Ranking games={desk.games} gained={gained} />
        {codesMade !== undefined && (
          <p>{deskTexts.codes(formatCount(voted), formatCount(codesMade))}</p>
        )}
        {voided > 0 && <p>{deskTexts.voided(formatCount(voided))}</p>}
        <Anomalies {...desk} voidVotes={(votes) => act(() => requestVoidChange(votes))} />
        <RecordList {...desk} undo={(undoes) => act(() => requestVoidChange({ undoes }))} />
        <BrowserList
          {...desk}
          clockOffset={clockOffset}
          change={(browsers) => act(() => requestBrowserChange(browsers))}
        />
        <ConfirmButton label={deskTexts.forget} sure={deskTexts.forgetSure} run={leave} />
      </FailedPressContext>
    </section>
  );
}

/** Unless the report tells hidden votes, the page's standings take the place of its own, so that desk and page never disagree. */
function asOfPage(report: DeskReport, { status, standings = [] }: LiveState): DeskReport {
  const { clockOffset, frozenAt = Infinity } = status;
  const now = performance.now() + clockOffset;
  const games = frozenAt <= report.now ? report.games : standings;
  return { ...report, now, times: status, games };
}

type DeskSession =
  | { readonly status: 'invited'; readonly link: 'unused' | 'unkept' }
  | { readonly status: 'open' }
  | { readonly status: 'ended'; readonly why: string };

type DeskRequest = () => ReturnType<typeof requestTimes>;

/** Makes the page ask for the desk's report, too, as long as the desk is open in this browser, and sends acts. */
function useDesk(feed: DeskFeed) {
  const [session, setSession] = useState<DeskSession>(findSession);
  const { report, refusal } = useSelected(feed.known, (now) => now.desk) ?? {};
  const { keepAsking, takeAnswer } = feed;
  const [sending, setSending] = useState(0);
  const isOpen = session.status === 'open';
  useEffect(() => (isOpen ? keepAsking(fetchDesk) : undefined), [isOpen, keepAsking]);
  const end = (why: string) => setSession({ status: 'ended', why });
  if (isOpen && refusal?.outcome === 'ended') end(refusal.why);
  return {
    session,
    report,
    refusal,
    isActing: sending > 0,
    open: () => setSession({ status: 'open' }),
    async send(request: DeskRequest) {
      setSending((count) => count + 1);
      const result = await request();
      setSending((count) => count - 1);
      if ('value' in result) takeAnswer(toAnswer(result.value));
      else if (result.refusal.outcome === 'ended') end(result.refusal.why);
      return result;
    },
    async leave() {
      const browser = report?.browsers.find(({ isThis }) => isThis)?.id;
      // Here the key is forgotten in any case. If the request is lost, other desks list this browser until one of them ends its
      // access.
      if (browser) void requestBrowserChange({ browser });
      forgetKey();
      end('');
      return '';
    },
  };
}

/** Returns why an act was not done, as its button says it; '' if it was done. */
function failureOf(result: DeskResult<DeskResponse>): string {
  if ('value' in result) return '';
  const { outcome, why } = result.refusal;
  const isKnown = outcome === 'not-done' || outcome === 'ended';
  return isKnown ? deskTexts.notDone(why) : deskTexts.perhapsDone;
}

function findSession(): DeskSession {
  const link = readLinkState();
  if (link !== 'none') return { status: 'invited', link };
  // A browser that has forgotten the desk has no key, and is told nothing when it comes back to inicio.
  return hasKey() ? { status: 'open' } : { status: 'ended', why: '' };
}

function useLastMinute(report: DeskReport | undefined) {
  const [history, setHistory] = useState<readonly DeskReport[]>([]);
  if (report && report !== history.at(-1)) setHistory(withNewest(history, report));
  return lastMinuteOf(history);
}

/** `recount` asks the server to set every sum from the ballots, too. */
type DeskWish = TimesChange & { readonly recount?: boolean };

interface PhaseProps extends DeskReport {
  /** How far the server's clock is ahead of `performance.now()`, in milliseconds. */
  readonly clockOffset: number;
  /** Has the server count the ballots, and say how many sums are wrong. */
  readonly recount: DeskRequest;
  readonly change: (wish: DeskWish) => Promise<string>;
}

function PhasePanel({ times, cancel, noticeMs, games, ...props }: PhaseProps) {
  const { recount, change } = props;
  /** How many sums were wrong when they were counted after the first press. */
  const [faults, setFaults] = useState(0);
  // ConfirmButton keeps the function of the first press, to which only a ref gives the number that was counted later.
  const newestFaults = useRef(faults);
  newestFaults.current = faults;
  const now = useNow(props.clockOffset, () => CLOCK_TICK_MS);
  const { opensAt = 0, closesAt = Infinity, frozenAt = Infinity } = times;
  const phase = phaseAt(now, times);
  const isHidden = frozenAt <= now;
  const opens = (at: number) => deskTexts.opensAt(formatTime(at));
  const closes = (at: number, otherwise: string = deskTexts.noClose) =>
    at < Infinity ? deskTexts.closesAt(formatTime(at)) : otherwise;
  const isNear = phase === 'open' && closesAt - now < HOUR_MS;
  const until = {
    before: opens(opensAt),
    open: isNear ? deskTexts.closesIn(formatClock(closesAt - now)) : closes(closesAt),
    closed: '',
  };
  const count = async () => {
    const result = await recount();
    if ('refusal' in result) return result.refusal.why;
    setFaults(result.value.faults ?? 0);
    return '';
  };
  const press = (label: string, sure: string, wish: TimesChange) => (
    <ConfirmButton key={label} label={label} sure={sure} run={() => change(wish)} />
  );
  const opensLater = opensAt + MORE_MS;
  const later = closesAt + MORE_MS;
  // The opening must move neither behind the close nor behind the freeze, which would then hide every vote.
  const mayOpenLater = opensLater < closesAt && (frozenAt <= opensAt || opensLater < frozenAt);
  const next = typeof cancel?.closesAt === 'number' ? cancel.closesAt : Infinity;
  const isOpen = phase === 'open' && !cancel;
  return (
    <>
      <h3>{deskTexts.phases[phase]}</h3>
      <p data-near={isNear}>{until[phase]}</p>
      <p>{deskTexts[isHidden ? 'hidden' : 'shown'][phase]}</p>
      {frozenAt > now && frozenAt < Infinity && <p>{deskTexts.hidesAt(formatTime(frozenAt))}</p>}
      {phase === 'open' &&
        cancel &&
        press(deskTexts.cancel, closes(next, deskTexts.noCloseThen), cancel)}
      {isOpen &&
        (closesAt > now + noticeMs ? (
          press(deskTexts.close, deskTexts.closeSure(noticeMs), { closesAt: 'now' })
        ) : (
          <p>{isHidden ? deskTexts.closing : deskTexts.closingInSight}</p>
        ))}
      {isOpen && later < Infinity && press(deskTexts.later, closes(later), { closesAt: later })}
      {isOpen &&
        !isHidden &&
        press(deskTexts.hide, deskTexts.hideSure, { frozenAt: 'now', endsAtClose: false })}
      {phase === 'before' &&
        mayOpenLater &&
        press(deskTexts.startLater, opens(opensLater), { opensAt: opensLater })}
      {phase === 'closed' && isHidden && (
        <ConfirmButton
          label={deskTexts.reveal}
          sure={deskTexts.revealSure(formatVotes(totalVotes(games)), faults)}
          prepare={count}
          run={() => change({ frozenAt: 'never', recount: newestFaults.current > 0 })}
          isMain
        />
      )}
      {phase === 'closed' &&
        isHidden &&
        press(deskTexts.reopen, deskTexts.reopenSure, { opensAt: 'now' })}
      {isHidden && <p>{deskTexts.onlyYou}</p>}
    </>
  );
}

/** Formats a duration as minutes and seconds: '0:15'. */
function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
