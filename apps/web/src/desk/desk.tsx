import type { DeskState } from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { totalVotes } from '@goty/shared/game';
import { POLL_MS, phaseAt } from '@goty/shared/protocol';
import type { TimesChange } from '@goty/shared/vote-times';
import { useEffect, useRef, useState } from 'react';
import { HOUR_MS } from '../base/durations.ts';
import { formatCount, formatTime, formatVotes, shareFormat } from '../base/format.ts';
import { ConfirmButton } from './confirm-button.tsx';
import styles from './desk.module.css';
import {
  type DeskResult,
  forgetKey,
  pairOrFetchState,
  requestRecount,
  requestTimes,
  requestVoid,
} from './desk-api.ts';
import { Anomalies, RecordList } from './lists.tsx';

const MORE_MS = 5 * 60_000;
const CLOCK_TICK_MS = 250;
/** Within this time, every instance has learnt of an act (SPEC N5). */
const INSTANCES_MS = 10_000;
/** Before that, the moment says more than a clock. */

/** The operator's desk: what the vote is doing, and what can be done now (SPEC D). */
export function Desk() {
  const { state, refusal, isActing, act, leave } = useDesk();
  if (!state) return refusal && <p className={styles.desk}>{refusal}</p>;
  const { games, revision, voided } = state;
  const share = shareFormat(games);
  const change = (wish: TimesChange) => act(() => requestTimes({ ...wish, revision }));
  return (
    <section className={styles.desk} aria-label={deskTexts.title} aria-busy={isActing}>
      <h2>{deskTexts.title}</h2>
      <p>{deskTexts.vote(window.location.host)}</p>
      {refusal !== deskTexts.lost && (
        <p data-healthy={state.isHealthy}>
          {state.isHealthy ? deskTexts.healthy : deskTexts.unhealthy}
        </p>
      )}
      {refusal !== '' && <p role="alert">{refusal}</p>}
      <PhasePanel {...state} change={change} count={() => act(requestRecount)} />
      <ol>
        {[...games]
          .sort((a, b) => b.votos - a.votos)
          .map(({ id, name, votos }) => (
            <li key={id}>
              <span>{name}</span> <b>{formatCount(votos)}</b> <span>{share(votos)}</span>
            </li>
          ))}
      </ol>
      {voided > 0 && <p>{deskTexts.voided(formatCount(voided))}</p>}
      <Anomalies {...state} run={(votes) => act(() => requestVoid({ ...votes, undo: false }))} />
      <RecordList {...state} run={(votes) => act(() => requestVoid({ ...votes, undo: true }))} />
      <ConfirmButton label={deskTexts.forget} sure={deskTexts.forgetSure} run={() => leave('')} />
    </section>
  );
}

/** What the desk knows, asked for every 3 s while it is visible, and not while something is done. */
function useDesk() {
  const [state, setState] = useState<DeskState>();
  /** Why the last act was refused, and why there is no newer answer. */
  const [refusals, setRefusals] = useState({ act: '', poll: '' });
  const [isActing, setIsActing] = useState(false);
  const [isOver, setIsOver] = useState(false);
  /** How many questions wait for an answer, how many acts there were, and when the newest state was told. */
  const known = useRef({ waiting: 0, acts: 0, isOver: false, changes: 0, at: 0 });
  const leave = (why: string) => {
    known.current.isOver = true;
    forgetKey();
    setIsOver(true);
    setState(undefined);
    setRefusals({ act: why, poll: '' });
  };
  const hear = async (question: () => Promise<DeskResult<DeskState>>, kind: 'act' | 'poll') => {
    const { acts } = known.current;
    known.current.waiting += 1;
    const told = await question().finally(() => {
      known.current.waiting -= 1;
    });
    const { isOver, changes, at } = known.current;
    // A poll that was sent before an act may describe the vote as it was before: ignore it.
    if (isOver || (kind === 'poll' && acts !== known.current.acts)) return false;
    if ('refusal' in told) {
      if (told.status === 401) leave(told.refusal);
      else setRefusals((old) => ({ ...old, [told.status === 0 ? 'poll' : kind]: told.refusal }));
      return false;
    }
    setRefusals((old) => ({ act: kind === 'act' ? '' : old.act, poll: '' }));
    // Another instance may learn of an act later.
    const isOlder = told.value.changes < changes && Date.now() - at < INSTANCES_MS;
    if (isOlder) return kind === 'act';
    Object.assign(known.current, { changes: told.value.changes, at: Date.now() });
    setState((old) => withNewerCount(told.value, old));
    return true;
  };
  /** Resolves with whether the server has done what was asked. */
  const act = async (question: () => Promise<DeskResult<DeskState>>) => {
    known.current.acts += 1;
    setRefusals({ act: '', poll: '' });
    setIsActing(true);
    const isDone = await hear(question, 'act');
    setIsActing(false);
    return isDone;
  };
  useEffect(() => {
    if (isOver) return;
    const poll = () => {
      const isVisible = document.visibilityState === 'visible';
      if (isVisible && known.current.waiting === 0) hear(pairOrFetchState, 'poll');
    };
    const timer = setInterval(poll, POLL_MS);
    document.addEventListener('visibilitychange', poll);
    poll();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', poll);
    };
  }, [isOver]);
  return { state, refusal: refusals.poll || refusals.act, isActing, act, leave };
}

/**
 * Keeps the newer count of hidden votes. Each instance counts by itself, and in the cloud only when the operator
 * presses.
 */
function withNewerCount(told: DeskState, old: DeskState | undefined): DeskState {
  const isOlder = told.countedAt !== undefined && told.countedAt < (old?.countedAt ?? 0);
  if (!old || !isOlder) return told;
  const { games, faults, countedAt } = old;
  return { ...told, games, faults, countedAt };
}

/** The server's time, as it goes on since it was told. */
function useClock(told: number): number {
  const [now, setNow] = useState(told);
  useEffect(() => {
    const offset = told - Date.now();
    const tick = () => setNow(Date.now() + offset);
    tick();
    const timer = setInterval(tick, CLOCK_TICK_MS);
    return () => clearInterval(timer);
  }, [told]);
  return now;
}

/** What finds out what a press will do. */
interface Ready {
  readonly prepare?: () => Promise<boolean>;
}

interface PhaseProps extends DeskState {
  /** Counts hidden votes. */
  readonly count: () => Promise<boolean>;
  readonly change: (wish: TimesChange) => Promise<boolean>;
}

/** Whether the vote is open, until when, what of it is shown, and what can be done now. */
function PhasePanel({ times, countedAt, cancel, noticeMs, faults, games, ...props }: PhaseProps) {
  const { count, change } = props;
  const now = useClock(props.now);
  const { opensAt = 0, closesAt = Infinity, frozenAt = Infinity } = times;
  const [phase, isHidden] = [phaseAt(now, times), frozenAt <= now];
  const closes = (at: number) =>
    at < Infinity ? deskTexts.closesAt(formatTime(at)) : deskTexts.noClose;
  const isNear = phase === 'open' && closesAt - now < HOUR_MS;
  const until = {
    before: deskTexts.opensAt(formatTime(opensAt)),
    open: isNear ? deskTexts.closesIn(formatClock(closesAt - now)) : closes(closesAt),
    closed: '',
  };
  const press = (label: string, sure: string, wish: TimesChange, more: Ready = {}) => (
    <ConfirmButton key={label} {...{ label, sure, ...more }} run={() => change(wish)} />
  );
  const [votes, later] = [formatVotes(totalVotes(games)), closesAt + MORE_MS];
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
        closesAt > now + noticeMs &&
        press(deskTexts.close, deskTexts.closeSure(noticeMs), { closesAt: 'now' })}
      {isOpen && later < Infinity && press(deskTexts.later, closes(later), { closesAt: later })}
      {isOpen &&
        !isHidden &&
        press(deskTexts.hide, deskTexts.hideSure, { frozenAt: 'now', endsAtClose: false })}
      {phase === 'closed' &&
        isHidden &&
        press(
          deskTexts.reveal,
          deskTexts.revealSure(votes, faults),
          { frozenAt: 'never' },
          { prepare: count },
        )}
      {countedAt !== undefined && (
        <div className="row">
          <p>{deskTexts.onlyYou(formatTime(countedAt))}</p>
          <button type="button" className="button quiet" onClick={count}>
            {deskTexts.recount}
          </button>
        </div>
      )}
    </>
  );
}

/** As in '0:15'. */
function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
