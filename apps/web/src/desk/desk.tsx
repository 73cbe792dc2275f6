import type { DeskState, WishedTimes } from '@goty/shared/desk';
import { deskTexts as say } from '@goty/shared/desk-texts';
import { totalVotes } from '@goty/shared/game';
import { POLL_MS, phaseAt } from '@goty/shared/protocol';
import { useEffect, useRef, useState } from 'react';
import { formatCount, formatTime, formatVotes } from '../base/format.ts';
import { createDeskClient, type Told } from './client.ts';
import styles from './desk.module.css';
import { Ranking, Record, Suspects } from './lists.tsx';
import { Press } from './press.tsx';

const MORE_MS = 5 * 60_000;
const TICK_MS = 250;
const MINUTE_MS = 60_000;

interface Props {
  /** Of the link that was opened; `undefined` if this browser has a key. */
  readonly code: string | undefined;
}

/** The operator's desk: what the vote is doing, and what can be done now (SPEC D). */
export function Desk({ code }: Props) {
  const { client, state, refusal, isOver, hear, forget } = useDesk(code);
  const now = useNow() + (state?.offset ?? 0);
  if (isOver || !state) {
    const said = refusal || (isOver ? '' : say.entering);
    return said && <p className={styles.desk}>{said}</p>;
  }
  return (
    <section className={styles.desk} aria-label={say.title}>
      <header>
        <h2>{say.title}</h2>
        <p>{say.vote(window.location.host)}</p>
        <p data-good={state.isHealthy}>{state.isHealthy ? say.healthy : say.unhealthy}</p>
      </header>
      {refusal !== '' && <p role="alert">{refusal}</p>}
      <Phase {...state} now={now} />
      <Acts
        state={state}
        now={now}
        recount={() => hear(() => client.read(true))}
        change={(wish) => hear(() => client.changeTimes({ ...wish, revision: state.revision }))}
      />
      <Ranking {...state} isHidden={isHidden(state, now)} />
      <Suspects
        {...state}
        find={client.findRuns}
        run={(votes) => hear(() => client.voidVotes({ ...votes, undo: false }))}
      />
      <Record {...state} undo={(votes) => hear(() => client.voidVotes({ ...votes, undo: true }))} />
      <Press label={say.forget} sure={say.forgetSure} run={async () => forget('')} />
    </section>
  );
}

/** What the desk knows, asked for every 3 s while it is visible. */
function useDesk(code: string | undefined) {
  const [client] = useState(createDeskClient);
  const [state, setState] = useState<DeskState & { readonly offset: number }>();
  const [refusal, setRefusal] = useState('');
  const [isOver, setIsOver] = useState(false);
  /** How many questions were asked, and which one was answered last: what comes later may have been asked earlier. */
  const turns = useRef({ asked: 0, heard: 0 });

  const forget = (why: string) => {
    client.forget();
    setIsOver(true);
    setRefusal(why);
  };
  /** Resolves with whether the server has done what was asked. */
  const hear = async (ask: () => Promise<Told<DeskState>>) => {
    turns.current.asked += 1;
    const own = turns.current.asked;
    const told = await ask();
    if (own < turns.current.heard) return false;
    turns.current.heard = own;
    if ('refusal' in told) {
      if (told.status === 401) forget(told.refusal);
      else setRefusal(told.refusal);
      return false;
    }
    setState({ ...told.value, offset: told.value.now - told.at });
    setRefusal('');
    return true;
  };

  useEffect(() => {
    if (isOver) return;
    let isIn = code === undefined;
    let isAsking = false;
    const poll = async () => {
      if (isAsking || document.visibilityState === 'hidden') return;
      isAsking = true;
      isIn = (await hear(() => (isIn ? client.read() : client.pair(code ?? '')))) || isIn;
      isAsking = false;
    };
    const timer = setInterval(poll, POLL_MS);
    document.addEventListener('visibilitychange', poll);
    void poll();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', poll);
    };
  }, [client, code, isOver]);
  return { client, state, refusal, isOver, hear, forget };
}

interface At {
  readonly now: number;
}

/** Whether the vote is open, until when, and what of it is shown. */
function Phase({ times, cancel, now }: DeskState & At) {
  const { opensAt = 0, closesAt = Infinity, frozenAt } = times;
  const phase = phaseAt(now, times);
  const clock = {
    before: say.opensIn(formatClock(opensAt - now)),
    open: closesAt === Infinity ? say.noClose : say.closesIn(formatClock(closesAt - now)),
    closed: '',
  };
  const isNear = phase === 'open' && (cancel !== undefined || closesAt - now < MINUTE_MS);
  const shown = phase === 'closed' ? 'final' : 'shown';
  const hidden = phase === 'closed' ? 'held' : 'hidden';
  const isPlanned = frozenAt !== undefined && frozenAt > now;
  return (
    <div className={styles.phase} data-near={isNear}>
      <strong>{say.phases[phase]}</strong>
      <span>{clock[phase]}</span>
      <span>{say.results[isHidden({ times }, now) ? hidden : shown]}</span>
      {isPlanned && <span>{say.hidesAt(formatTime(frozenAt))}</span>}
    </div>
  );
}

interface ActsProps extends At {
  readonly state: DeskState;
  readonly recount: () => Promise<boolean>;
  readonly change: (wish: WishedTimes) => Promise<boolean>;
}

/** What can be done now. */
function Acts({ state, now, recount, change }: ActsProps) {
  const { times, cancel, noticeMs, faults, games } = state;
  const { closesAt = Infinity } = times;
  const phase = phaseAt(now, times);
  if (phase === 'closed') {
    const votes = formatVotes(totalVotes(games));
    const wrong = say.games(formatCount(faults), faults === 1);
    const sure = faults === 0 ? say.revealSure(votes) : say.revealWrong(votes, wrong);
    const reveal = () => change({ frozenAt: 'never' });
    if (times.frozenAt === undefined) return null;
    return <Press label={say.reveal} sure={sure} prepare={recount} run={reveal} />;
  }
  if (phase === 'before') return null;
  if (cancel) {
    const { closesAt: next } = cancel;
    const sure = typeof next === 'number' ? say.cancelSure(formatTime(next)) : say.cancelSureOpen;
    return <Press label={say.cancel} sure={sure} run={() => change(cancel)} />;
  }
  return (
    <div className={styles.buttons}>
      {closesAt - now > noticeMs && (
        <Press
          label={say.close}
          sure={say.closeSure(noticeMs / 1_000)}
          run={() => change({ closesAt: Math.round(now) + noticeMs })}
        />
      )}
      {closesAt < Infinity && (
        <Press
          label={say.later}
          sure={say.laterSure(formatTime(closesAt + MORE_MS))}
          run={() => change({ closesAt: closesAt + MORE_MS })}
        />
      )}
      {!isHidden(state, now) && (
        <Press
          label={say.hide}
          sure={say.hideSure}
          run={() => change({ frozenAt: 'now', endsAtClose: false })}
        />
      )}
    </div>
  );
}

function isHidden({ times }: Pick<DeskState, 'times'>, now: number): boolean {
  return (times.frozenAt ?? Infinity) <= now;
}

/** As in '1:02:03' and '0:15'. */
function formatClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (seconds >= 3_600) parts.unshift(Math.floor(seconds / 3_600));
  return parts.map((part, at) => (at === 0 ? part : String(part).padStart(2, '0'))).join(':');
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
