import type { DeskState } from '@goty/shared/desk';
import { deskTexts as say } from '@goty/shared/desk-texts';
import { totalVotes } from '@goty/shared/game';
import { POLL_MS, phaseAt } from '@goty/shared/protocol';
import type { Wish } from '@goty/shared/timetable';
import { useEffect, useRef, useState } from 'react';
import { formatCount, formatTime, formatVotes, shareFormat } from '../base/format.ts';
import { changeTimes, enter, forget, recount, type Told, voidVotes } from './client.ts';
import styles from './desk.module.css';
import { Record, Suspects } from './lists.tsx';
import { Press } from './press.tsx';

const MORE_MS = 5 * 60_000;
const TICK_MS = 250;
/** Within this time, every instance has learnt of an act (SPEC N5). */
const INSTANCES_MS = 10_000;
/** Before that, the moment says more than a clock. */
const HOUR_MS = 3_600_000;

/** The operator's desk: what the vote is doing, and what can be done now (SPEC D). */
export function Desk() {
  const { state, refusal, isActing, act, leave } = useDesk();
  if (!state) return refusal && <p className={styles.desk}>{refusal}</p>;
  const { games, revision, voided } = state;
  const share = shareFormat(games);
  const change = (wish: Wish) => act(() => changeTimes({ ...wish, revision }));
  return (
    <section className={styles.desk} aria-label={say.title} aria-busy={isActing}>
      <h2>{say.title}</h2>
      <p>{say.vote(window.location.host)}</p>
      {refusal !== say.lost && (
        <p data-healthy={state.isHealthy}>{state.isHealthy ? say.healthy : say.unhealthy}</p>
      )}
      {refusal !== '' && <p role="alert">{refusal}</p>}
      <Phase {...state} change={change} count={() => act(recount)} />
      <ol>
        {[...games]
          .sort((a, b) => b.votos - a.votos)
          .map(({ id, name, votos }) => (
            <li key={id}>
              <span>{name}</span> <b>{formatCount(votos)}</b> <span>{share(votos)}</span>
            </li>
          ))}
      </ol>
      {voided > 0 && <p>{say.voided(formatCount(voided))}</p>}
      <Suspects {...state} run={(votes) => act(() => voidVotes({ ...votes, undo: false }))} />
      <Record {...state} run={(votes) => act(() => voidVotes({ ...votes, undo: true }))} />
      <Press label={say.forget} sure={say.forgetSure} run={() => leave('')} />
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
    forget();
    setIsOver(true);
    setState(undefined);
    setRefusals({ act: why, poll: '' });
  };
  const hear = async (question: () => Promise<Told<DeskState>>, kind: 'act' | 'poll') => {
    const { acts } = known.current;
    known.current.waiting += 1;
    const told = await question().finally(() => {
      known.current.waiting -= 1;
    });
    const { isOver, changes, at } = known.current;
    // What was asked before an act may tell of the time before it.
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
  const act = async (question: () => Promise<Told<DeskState>>) => {
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
      if (isVisible && known.current.waiting === 0) hear(enter, 'poll');
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

/** Each instance counts by itself, and in the cloud on a press only. */
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
    const timer = setInterval(tick, TICK_MS);
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
  readonly change: (wish: Wish) => Promise<boolean>;
}

/** Whether the vote is open, until when, what of it is shown, and what can be done now. */
function Phase({ times, countedAt, cancel, noticeMs, faults, games, ...props }: PhaseProps) {
  const { count, change } = props;
  const now = useClock(props.now);
  const { opensAt = 0, closesAt = Infinity, frozenAt = Infinity } = times;
  const [phase, isHidden] = [phaseAt(now, times), frozenAt <= now];
  const closes = (at: number) => (at < Infinity ? say.closesAt(formatTime(at)) : say.noClose);
  const isNear = phase === 'open' && closesAt - now < HOUR_MS;
  const until = {
    before: say.opensAt(formatTime(opensAt)),
    open: isNear ? say.closesIn(formatClock(closesAt - now)) : closes(closesAt),
    closed: '',
  };
  const press = (label: string, sure: string, wish: Wish, more: Ready = {}) => (
    <Press key={label} {...{ label, sure, ...more }} run={() => change(wish)} />
  );
  const [votes, later] = [formatVotes(totalVotes(games)), closesAt + MORE_MS];
  const next = typeof cancel?.closesAt === 'number' ? cancel.closesAt : Infinity;
  const isOpen = phase === 'open' && !cancel;
  return (
    <>
      <h3>{say.phases[phase]}</h3>
      <p data-near={isNear}>{until[phase]}</p>
      <p>{say[isHidden ? 'hidden' : 'shown'][phase === 'closed' ? phase : 'open']}</p>
      {frozenAt > now && frozenAt < Infinity && <p>{say.hidesAt(formatTime(frozenAt))}</p>}
      {phase === 'open' && cancel && press(say.cancel, closes(next), cancel)}
      {isOpen &&
        closesAt > now + noticeMs &&
        press(say.close, say.closeSure(noticeMs), { closesAt: 'now' })}
      {isOpen && later < Infinity && press(say.later, closes(later), { closesAt: later })}
      {isOpen &&
        !isHidden &&
        press(say.hide, say.hideSure, { frozenAt: 'now', endsAtClose: false })}
      {phase === 'closed' &&
        isHidden &&
        press(say.reveal, say.revealSure(votes, faults), { frozenAt: 'never' }, { prepare: count })}
      {countedAt !== undefined && (
        <div className="row">
          <p>{say.onlyYou(formatTime(countedAt))}</p>
          <button type="button" className="button quiet" onClick={count}>
            {say.recount}
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
