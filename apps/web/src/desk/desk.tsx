import type { DeskState } from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { totalVotes } from '@goty/shared/game';
import { POLL_MS, phaseAt } from '@goty/shared/protocol';
import type { TimesChange } from '@goty/shared/vote-times';
import { useEffect, useRef, useState } from 'react';
import { useNow } from '../base/countdown.tsx';
import { HOUR_MS } from '../base/durations.ts';
import { formatCount, formatTime, formatVotes } from '../base/format.ts';
import { ConfirmButton, type FailedPress, FailedPressContext } from './confirm-button.tsx';
import styles from './desk.module.css';
import {
  type DeskResult,
  findLink,
  forgetKey,
  pairOrFetchState,
  requestBrowserChange,
  requestRecount,
  requestTimes,
  requestVoidChange,
} from './desk-api.ts';
import {
  type DeskEvent,
  type DeskSession,
  lastMinuteOf,
  nextDeskState,
  OPENING,
} from './desk-state.ts';
import { Anomalies, BrowserList, Ranking, RecordList } from './lists.tsx';

const MORE_MS = 5 * 60_000;
const CLOCK_TICK_MS = 250;

/** The operator's desk: what the vote is doing, and what can be done now (SPEC D). */
export function Desk() {
  const { session, poll, act, leave } = useDesk();
  const [failure, setFailure] = useState<FailedPress>();
  if (session.status === 'invited') {
    return (
      <section className={styles.desk} aria-label={deskTexts.title}>
        <h2>{deskTexts.title}</h2>
        {/* Only a press uses the link up: whatever looks at links runs scripts, too. */}
        <p>{session.link === 'unkept' ? deskTexts.unkept : deskTexts.invited}</p>
        {session.link === 'unused' && (
          <button type="button" className="button" onClick={poll}>
            {deskTexts.open}
          </button>
        )}
      </section>
    );
  }
  if (session.status !== 'open') {
    const text = session.status === 'ended' ? session.why : session.refusal;
    return text && <p className={styles.desk}>{text}</p>;
  }
  const { desk, clockOffset, refusal, acting } = session;
  const { timesRevision, voided } = desk;
  const change = (wish: DeskWish) => act(() => requestTimes({ ...wish, timesRevision }));
  return (
    <section className={styles.desk} aria-label={deskTexts.title} aria-busy={acting > 0}>
      <h2>{deskTexts.title}</h2>
      <p>{deskTexts.vote(window.location.host)}</p>
      {refusal !== '' && <p role="alert">{refusal}</p>}
      {refusal === '' && desk.isHealthy && <p data-healthy="true">{deskTexts.healthy}</p>}
      {refusal === '' && !desk.isHealthy && (
        <p role="alert" data-healthy="false">
          {deskTexts.unhealthy}
        </p>
      )}
      <FailedPressContext value={[failure, setFailure]}>
        <PhasePanel
          {...desk}
          clockOffset={clockOffset}
          change={change}
          count={() => act(requestRecount, true)}
        />
        <Ranking games={desk.games} gained={lastMinuteOf(session.history)} />
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

/** The session of this browser, which asks every 3 s while it is visible, and not while something is done. */
function useDesk() {
  const [session, setSession] = useState<DeskSession>(() => {
    const link = findLink();
    return link === 'none' ? OPENING : { status: 'invited', link };
  });
  /** Answers come later than the render whose functions wait for them. */
  const latest = useRef(session);
  const dispatch = (event: DeskEvent) => {
    latest.current = nextDeskState(latest.current, event);
    setSession(latest.current);
  };
  const send = async (kind: 'poll' | 'act', question: () => Promise<DeskResult<DeskState>>) => {
    dispatch({ type: `${kind}-sent` });
    const { current } = latest;
    const request = { kind, acts: 'acts' in current ? current.acts : 0 };
    const result = await question();
    const at = performance.now();
    if ('value' in result) dispatch({ ...request, type: 'received', desk: result.value, at });
    else dispatch({ ...request, type: 'refused', refusal: result.refusal });
    return result;
  };
  const poll = () => send('poll', pairOrFetchState);
  const isAsking = session.status === 'opening' || session.status === 'open';
  useVisiblePoll(() => {
    const { current } = latest;
    if ('waiting' in current && current.waiting === 0) poll();
  }, isAsking);
  return {
    session,
    poll,
    /** Resolves with why it was not done, as its button says it; '' if it was. A question changes nothing. */
    async act(question: () => Promise<DeskResult<DeskState>>, isQuestion = false): Promise<string> {
      const result = await send('act', question);
      if ('value' in result) return '';
      const { outcome, why } = result.refusal;
      if (isQuestion) return why;
      return outcome === 'unknown' ? deskTexts.perhapsDone : deskTexts.notDone(why);
    },
    async leave() {
      const browsers = 'desk' in latest.current ? latest.current.desk.browsers : [];
      const browser = browsers.find(({ isThis }) => isThis)?.id;
      // The key is gone from here in any case. If this is lost, other desks list the browser until they end it.
      if (browser) void requestBrowserChange({ browser });
      forgetKey();
      dispatch({ type: 'left' });
      return '';
    },
  };
}

/** Polls at once and every 3 s, while it is active and the page is visible. */
function useVisiblePoll(poll: () => void, isActive: boolean) {
  useEffect(() => {
    if (!isActive) return;
    const pollIfVisible = () => document.visibilityState === 'visible' && poll();
    const timer = setInterval(pollIfVisible, POLL_MS);
    document.addEventListener('visibilitychange', pollIfVisible);
    pollIfVisible();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', pollIfVisible);
    };
  }, [isActive]);
}

/** With `recount`, every sum is set from the ballots, too. */
type DeskWish = TimesChange & { readonly recount?: boolean };

interface PhaseProps extends DeskState {
  /** How far the server's clock is ahead of `performance.now()`, in milliseconds. */
  readonly clockOffset: number;
  /** Counts whether the sums are right. */
  readonly count: () => Promise<string>;
  readonly change: (wish: DeskWish) => Promise<string>;
}

/** Whether the vote is open, until when, what of it is shown, and what can be done now. */
function PhasePanel({ times, cancel, noticeMs, faults = 0, games, ...props }: PhaseProps) {
  const { count, change } = props;
  /** Counted between the press that asks and the one that shows the result. */
  const newestFaults = useRef(faults);
  newestFaults.current = faults;
  const now = useNow(props.clockOffset, () => CLOCK_TICK_MS);
  const { opensAt = 0, closesAt = Infinity, frozenAt = Infinity } = times;
  const phase = phaseAt(now, times);
  const isHidden = frozenAt <= now;
  const opens = (at: number) => deskTexts.opensAt(formatTime(at));
  const closes = (at: number) =>
    at < Infinity ? deskTexts.closesAt(formatTime(at)) : deskTexts.noClose;
  const isNear = phase === 'open' && closesAt - now < HOUR_MS;
  const until = {
    before: opens(opensAt),
    open: isNear ? deskTexts.closesIn(formatClock(closesAt - now)) : closes(closesAt),
    closed: '',
  };
  const press = (label: string, sure: string, wish: TimesChange) => (
    <ConfirmButton key={label} label={label} sure={sure} run={() => change(wish)} />
  );
  const opensLater = opensAt + MORE_MS;
  const later = closesAt + MORE_MS;
  // Nor behind a freeze: the vote would be hidden from its start.
  const mayOpenLater = opensLater < closesAt && (frozenAt <= opensAt || opensLater < frozenAt);
  const next = typeof cancel?.closesAt === 'number' ? cancel.closesAt : Infinity;
  const isOpen = phase === 'open' && !cancel;
  return (
    <>
      <h3>{deskTexts.phases[phase]}</h3>
      <p data-near={isNear}>{until[phase]}</p>
      <p>{deskTexts[isHidden ? 'hidden' : 'shown'][phase === 'closed' ? phase : 'open']}</p>
      {frozenAt > now && frozenAt < Infinity && <p>{deskTexts.hidesAt(formatTime(frozenAt))}</p>}
      {phase === 'open' && cancel && press(deskTexts.cancel, closes(next), cancel)}
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

/** As in '0:15'. */
function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
