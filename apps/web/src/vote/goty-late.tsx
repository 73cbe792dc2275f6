import { gotyTexts } from '@goty/shared/goty-texts';
import type { Nominee } from '@goty/shared/nominee';
import { resultTexts, shareButtonTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { Countdown, Deadline } from '../base/countdown.tsx';
import { formatTime } from '../base/format.ts';
import type { Observable } from '../base/observable.ts';
import { useSelected } from '../base/react.ts';
import { isVoting } from '../live/fetch-standings.ts';
import type { LiveState, VoteStatus } from '../live/live-state.ts';
import { useShow } from '../results/show.ts';
import { ShareButton } from '../share/share-button.tsx';
import { describePlace, uncoverFocus } from './after-vote.ts';
import styles from './goty-late.module.css';

// What the screen goty loads and shows only once its cards are there.

interface BarProps {
  readonly choice: Nominee | undefined;
  readonly known: Observable<LiveState>;
  readonly status: VoteStatus;
}

/** The bar stands at the bottom, where it moves no card. */
export function BottomBar({ choice, known, status }: BarProps) {
  const isOffline = useSelected(known, ({ connection }) => connection === 'offline');
  if (isOffline && isVoting(status.phase) && !choice) return <OfflineBar />;
  return choice && status.phase !== 'before' ? (
    <VoteBar choice={choice} known={known} status={status} isOffline={isOffline} />
  ) : (
    <TimeBar {...status} />
  );
}

/** The cards look as if nobody could vote, but a press is sent all the same, and may be answered. */
function OfflineBar() {
  return (
    <div ref={(bar) => markSectionWithBar(bar, true)} className={`row ${styles.bar}`} role="status">
      <p>{voteTexts.failures.unreachable}</p>
    </div>
  );
}

interface VoteBarProps extends BarProps {
  readonly choice: Nominee;
  readonly isOffline: boolean;
}

/** After a vote, the bar says for which game it was and what place that game has (SPEC W101). */
function VoteBar({ choice, known, status, isOffline }: VoteBarProps) {
  const { id, name } = choice;
  const { goty } = texts;
  // The bar tells the result no sooner than the other screens do (SPEC W146).
  const [show] = useShow(known, 0);
  const told = isOffline ? texts.inicio.status.offline : describePlace(show, id);
  const isOpen = isVoting(status.phase);
  useEffect(uncoverFocus, []);
  return (
    <aside
      ref={(bar) => markSectionWithBar(bar, isOffline)}
      className={`row ${styles.bar}`}
      aria-label={goty.yourVote}
    >
      <p>
        {goty.yourVote}: <bdi translate="no">{name}</bdi>
        <span>{told && ` · ${told}`}</span>
      </p>
      <Link to={voteTexts.yourResult}>{goty.toResult}</Link>
      <ShareButton
        path={isOpen ? '/goty' : '/inicio'}
        text={shareButtonTexts.voted(name, isOpen)}
      />
    </aside>
  );
}

/** The style sheet needs the mark because not every browser knows `:has` (SPEC W131). Returns the function that takes it away. */
export function markSectionWithBar(bar: HTMLElement | null, isOffline?: boolean) {
  const section = bar?.closest('section');
  // If there are two bars, the mark 'offline' of the first stays when the second marks the section.
  if (section) section.dataset.bar ||= isOffline ? 'offline' : '';
  return () => void section?.removeAttribute('data-bar');
}

export function OpeningNotice({ at }: { readonly at: number }) {
  return <span>{`${resultTexts.opensAt(formatTime(at))}.`}</span>;
}

/** Says how long it is until voting begins, that voting has just begun, or until when it is open (SPEC W119, W120). */
function TimeBar({ phase, opensAt, closesAt, clockOffset }: VoteStatus) {
  const [wasBefore, setWasBefore] = useState(false);
  const isBefore = phase === 'before' && opensAt !== undefined;
  if (isBefore && !wasBefore) setWasBefore(true);
  useEffect(uncoverFocus, []);
  if (isBefore) {
    return (
      <div ref={markSectionWithBar} className={`row ${styles.bar} ${styles.begin}`}>
        <Countdown to={opensAt} clockOffset={clockOffset} words={resultTexts.opensAt} />
      </div>
    );
  }
  if (!isVoting(phase) || !(wasBefore || closesAt)) return null;
  return (
    <div ref={markSectionWithBar} className={`row ${styles.bar} ${wasBefore ? styles.begin : ''}`}>
      {wasBefore && <p className={styles.now}>{resultTexts.nowOpen}</p>}
      {closesAt !== undefined && (
        <p>
          <Deadline
            to={closesAt}
            clockOffset={clockOffset}
            words={(when) => `${resultTexts.closes(when)}.`}
          />
        </p>
      )}
    </div>
  );
}

interface SearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly found: number;
}

/** The field that searches many games by name (SPEC W122). */
export function Search({ text, onText, found }: SearchProps) {
  return (
    <div className={`row ${styles.search}`}>
      <input
        type="search"
        className={styles.field}
        aria-label={gotyTexts.search}
        placeholder={gotyTexts.search}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      <p role="status">{text.trim() && gotyTexts.found(found, text.trim())}</p>
      {found === 0 && (
        <button type="button" className="button quiet" onClick={() => onText('')}>
          {gotyTexts.all}
        </button>
      )}
    </div>
  );
}
