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
/** Before that, the moment says more than a clock. */
const HOUR_MS = 3_600_000;

/** The operator's desk: what the vote is doing, and what can be done now (SPEC D). */
export function Desk() {
  const { state, now, refusal, isActing, act, leave } = useDesk();
  if (!state) return refusal && <p className={styles.desk}>{refusal}</p>;
  const { games, revision, voided } = state;
  const share = shareFormat(games);
  const change = (wish: Wish) => act(changeTimes({ ...wish, revision }));
  return (
    <section className={styles.desk} aria-label={say.title} aria-busy={isActing}>
      <h2>{say.title}</h2>
      <p>{say.vote(window.location.host)}</p>
      <p data-healthy={state.isHealthy}>{state.isHealthy ? say.healthy : say.unhealthy}</p>
      {refusal !== '' && <p role="alert">{refusal}</p>}
      <Phase {...{ ...state, now, change }} count={() => act(recount())} />
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
      <Suspects {...state} run={(votes) => act(voidVotes({ ...votes, undo: false }))} />
      <Record {...state} run={(votes) => act(voidVotes({ ...votes, undo: true }))} />
      <Press label={say.forget} sure={say.forgetSure} run={() => leave('')} />
    </section>
  );
}

/** What the desk knows, asked for every 3 s while it is visible, and not while something is done. */
function useDesk() {
  const [state, setState] = useState<DeskState>();
  /** Why the last act was refused, and why the last question was. */
  const [refusals, setRefusals] = useState({ act: '', poll: '' });
  const [isActing, setIsActing] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const [now, setNow] = useState(Date.now);
  /** How far the server's clock is ahead, how many questions wait for an answer, how many acts there were. */
  const known = useRef({ offset: 0, waiting: 0, acts: 0, isOver: false });
  const leave = (why: string) => {
    known.current.isOver = true;
    forget();
    setIsOver(true);
    setState(undefined);
    setRefusals({ act: why, poll: '' });
  };
  const hear = async (question: Promise<Told<DeskState>>, kind: 'act' | 'poll') => {
    const { acts } = known.current;
    known.current.waiting += 1;
    const told = await question;
    known.current.waiting -= 1;
    // What was asked before an act may tell of the time before it.
    if (known.current.isOver || (kind === 'poll' && acts !== known.current.acts)) return false;
    if ('refusal' in told && told.status === 401) leave(told.refusal);
    else setRefusals((old) => ({ ...old, [kind]: 'refusal' in told ? told.refusal : '' }));
    if ('refusal' in told) return false;
    known.current.offset = told.value.now - Date.now();
    setState(told.value);
    return true;
  };
  /** Resolves with whether the server has done what was asked. */
  const act = async (question: Promise<Told<DeskState>>) => {
    known.current.acts += 1;
    setIsActing(true);
    const isDone = await hear(question, 'act');
    setIsActing(false);
    return isDone;
  };
  useEffect(() => {
    if (isOver) return;
    const poll = () => {
      if (document.visibilityState === 'visible' && known.current.waiting === 0)
        hear(enter(), 'poll');
    };
    const tick = () => setNow(Date.now() + known.current.offset);
    const timers = [setInterval(poll, POLL_MS), setInterval(tick, TICK_MS)];
    document.addEventListener('visibilitychange', poll);
    poll();
    return () => {
      timers.forEach(clearInterval);
      document.removeEventListener('visibilitychange', poll);
    };
  }, [isOver]);
  return { state, now, refusal: refusals.act || refusals.poll, isActing, act, leave };
}

interface PhaseProps extends DeskState {
  /** Counts hidden votes. */
  readonly count: () => Promise<boolean>;
  readonly change: (wish: Wish) => Promise<boolean>;
}

/** Whether the vote is open, until when, what of it is shown, and what can be done now. */
function Phase({ now, times, countedAt, cancel, noticeMs, faults, games, ...acts }: PhaseProps) {
  const { count, change } = acts;
  const { opensAt = 0, closesAt = Infinity, frozenAt = Infinity } = times;
  const [phase, isHidden] = [phaseAt(now, times), frozenAt <= now];
  const closes = (at: number) => (at < Infinity ? say.closesAt(formatTime(at)) : say.noClose);
  const isNear = phase === 'open' && closesAt - now < HOUR_MS;
  const until = {
    before: say.opensAt(formatTime(opensAt)),
    open: isNear ? say.closesIn(formatClock(closesAt - now)) : closes(closesAt),
    closed: '',
  };
  const press = (label: string, sure: string, wish: Wish, prepare = async () => true) => (
    <Press key={label} {...{ label, sure, prepare }} run={() => change(wish)} />
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
        press(say.reveal, say.revealSure(votes, faults), { frozenAt: 'never' }, count)}
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
