import { colorsOf, type Nominee } from '@goty/shared/nominee';
import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { Suspense, useDeferredValue, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { lazyOptional, useObservable, useSelected } from '../base/react.ts';
import { whenOnline } from '../base/request.ts';
import { ScreenMessage } from '../base/screen.tsx';
import { isVoting } from '../live/fetch-standings.ts';
import type { LastVote } from '../live/last-vote.ts';
import type { VoteStatus } from '../live/live-state.ts';
import type { NomineesState } from '../live/nominees.ts';
import type { ScreenProps } from '../live/vote-feed.ts';
import type { VoteCaster } from './cast-vote.ts';
import { FIRST_COVERS, SEARCHED_FROM } from './first-cards.ts';
import styles from './goty-screen.module.css';
import { NomineeCard, NomineeCardSkeleton } from './nominee-card.tsx';

/** How long the cards are shown before the dialog of a vote is loaded, in milliseconds: the covers come first (SPEC W28). */
const PREPARE_AFTER_MS = 500;

/** The keys of the skeletons: as many cards as fill the window. */
const SKELETON_KEYS = [...'abcdefgh'];

const loadLate = () => import('./goty-late.tsx');
const Search = lazyOptional(async () => (await loadLate()).Search);
const BottomBar = lazyOptional(async () => (await loadLate()).BottomBar);
const CodeBar = lazyOptional(async () => (await import('./code-bar.tsx')).CodeBar);
const OpeningNotice = lazyOptional(async () => (await loadLate()).OpeningNotice);

export interface GotyScreenProps extends ScreenProps {
  readonly caster: VoteCaster;
  readonly lastVote: LastVote;
}

export function GotyScreen(props: GotyScreenProps) {
  const { known, nominees, lastVote } = props;
  const status = useSelected(known, (now) => now.status);
  const isOffline = useSelected(known, (now) => now.connection === 'offline');
  const state = useObservable(nominees.state);
  const lastVoteId = useObservable(lastVote);
  const [need, setNeed] = useState<string>();
  // The vote does not count if its game is no longer nominated, and perhaps not if its code was ended, so it is no choice.
  const choice = need ? undefined : state.nominees?.find(({ id }) => id === lastVoteId);
  const first = state.nominees?.[0];
  const isUntilClose = status.phase === 'before' || isVoting(status.phase);
  const bar = (choice || status.opensAt || status.closesAt || isOffline) && (
    <BottomBar choice={choice} known={known} status={status} />
  );
  useEffect(() => {
    document.title = texts.goty.title;
  }, []);
  return (
    <section>
      <h1 tabIndex={-1}>{texts.goty.heading}</h1>
      <p className="lead" role="status">
        {state.status === 'loading' && <span>{texts.inicio.status.loading}</span>}
        {first && <Notice {...status} choice={choice?.name} />}{' '}
        {/* There is no link where there is no result to see. After a vote, the bar has the link. */}
        {status.phase !== 'before' && status.phase !== 'held' && !choice && (
          <Link to="/inicio" className={styles.toResult}>
            {texts.goty.toResult}
          </Link>
        )}
      </p>
      <Cards {...props} state={state} status={status} yourVote={choice?.id} need={need} />
      {/* The bars are not in the prerendered HTML: React would have to render anew what loads late. */}
      {first && (
        <Suspense>
          {status.needsCode && isUntilClose ? (
            <CodeBar {...props} onNeed={setNeed}>
              {bar}
            </CodeBar>
          ) : (
            bar
          )}
        </Suspense>
      )}
    </section>
  );
}

/** Says whether voting is open, and how many votes of a visitor count (SPEC W41, W95). */
function Notice({
  phase,
  opensAt,
  onePerVisitor,
  needsCode,
  choice,
}: VoteStatus & { choice?: string | undefined }) {
  const { goty } = texts;
  if (phase === 'before') {
    return (
      <Suspense fallback={<span>{goty.notices.before}</span>}>
        <OpeningNotice at={opensAt ?? 0} />
      </Suspense>
    );
  }
  if (!isVoting(phase) || !onePerVisitor) return <span>{goty.notices[phase]}</span>;
  const rule = needsCode ? goty.onePerCode : goty.onePerVisitor;
  return <span>{choice === undefined ? rule : goty.afterVote.notice(choice)}</span>;
}

interface CardsProps extends Pick<GotyScreenProps, 'nominees' | 'caster'> {
  readonly state: NomineesState;
  readonly status: VoteStatus;
  readonly yourVote: string | undefined;
  readonly need: string | undefined;
}

function Cards({ nominees: list, state, ...props }: CardsProps) {
  useEffect(() => void list.ensureLoaded(), [list]);
  useEffect(() => whenOnline(list.ensureLoaded), [list]);
  if (state.status === 'failed') {
    return (
      <ScreenMessage
        title={texts.goty.failed}
        hint={voteTexts.failures[state.reason]}
        action={{ label: texts.states.retry, run: list.ensureLoaded }}
      />
    );
  }
  if (state.status === 'loading') {
    return (
      <div className={`loading ${styles.grid}`} aria-hidden="true">
        {SKELETON_KEYS.map((index) => (
          <NomineeCardSkeleton key={index} />
        ))}
      </div>
    );
  }
  if (state.nominees.length === 0) {
    return <ScreenMessage title={texts.states.empty} hint={texts.states.emptyHint} />;
  }
  return <CardGrid {...props} nominees={state.nominees} />;
}

interface GridProps extends Pick<CardsProps, 'caster' | 'status' | 'yourVote' | 'need'> {
  readonly nominees: readonly Nominee[];
}

function CardGrid({ nominees, caster, ...props }: GridProps) {
  const navigate = useNavigate();
  const voting = useObservable(caster.voting);
  const [text, setText] = useState('');
  // The search is rendered only after React has taken over the first cards, which have no search.
  const isSearched = useDeferredValue(nominees.length > SEARCHED_FROM, false);
  useEffect(() => {
    const timer = setTimeout(caster.prepare, PREPARE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [caster]);
  const vote = async (id: string, isChange: boolean) => {
    if (await caster.cast(id, isChange)) navigate(voteTexts.yourResult);
  };
  const wanted = isSearched ? foldCaseAndAccents(text.trim()) : '';
  const isFound = ({ name }: Nominee) => foldCaseAndAccents(name).includes(wanted);
  const colors = colorsOf(nominees);
  return (
    <>
      {isSearched && (
        <Suspense>
          <Search text={text} onText={setText} found={nominees.filter(isFound).length} />
        </Suspense>
      )}
      <ul className={styles.grid} data-many={nominees.length > SEARCHED_FROM || undefined}>
        {nominees.map((nominee, index) => (
          <li
            key={nominee.id}
            data-nominee={nominee.id}
            data-color={colors[index]}
            hidden={!isFound(nominee)}
          >
            <NomineeCard
              nominee={nominee}
              {...props}
              voting={voting}
              isFirst={index < FIRST_COVERS}
              onVote={(isChange) => vote(nominee.id, isChange)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns a text without case and accents, to compare names. */
function foldCaseAndAccents(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
