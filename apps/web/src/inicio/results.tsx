import { type Standing, totalVotes } from '@goty/shared/game';
import { DESK_NAME } from '@goty/shared/protocol';
import { resultTexts, shareButtonTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import {
  type ComponentProps,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { Countdown, Deadline } from '../base/countdown.tsx';
import { formatCount, formatMoment, formatVotes } from '../base/format.ts';
import { lazyOptional, useObservable } from '../base/react.ts';
import { STAGE_HASH } from '../base/request.ts';
import { isPublic, isSecret, isVoting, votingIn } from '../live/fetch-standings.ts';
import type { VoteStatus } from '../live/live-state.ts';
import type { DeskFeed, ScreenProps } from '../live/vote-feed.ts';
import { useCoversAhead, useGames, WinnerCovers } from '../results/covers.tsx';
import { type GameView, leadersOf, viewGames } from '../results/game-view.ts';
import {
  type Headline,
  headlineAt,
  spokenHeadline,
  titleWithoutName,
} from '../results/headline.ts';
import { isCounting, type Show } from '../results/show.ts';
import { screenUrl } from '../share/share.ts';
import { ShareButton } from '../share/share-button.tsx';
import { LeaderFace } from './leader.tsx';
import { ResultsLegend, ResultsTable } from './legend.tsx';
import styles from './results.module.css';

/** Chart.js is most of the JavaScript. Headline and legend do not wait for it. */
const ResultsChart = lazy(async () => ({ default: (await import('./chart.tsx')).ResultsChart }));

/** More covers would be too small to be a celebration. */
const MAX_WINNER_COVERS = 6;

/** Often enough to follow, rarely enough not to interrupt a screen reader, or to lose its place (SPEC W23). */
const ANNOUNCE_EVERY_MS = 10_000;

/** For the operator, who came with a link or a key. In a frame, another page could lead them to press what they do not see. */
const LateDesk = lazyOptional(async () => {
  // A link stays in the address where nothing can be stored.
  const isInvited = window.location.hash.startsWith(`#${DESK_NAME}=`);
  const isIn =
    isInvited || (sessionStorage.getItem(DESK_NAME) ?? localStorage.getItem(DESK_NAME)) !== null;
  if (!isIn || window.parent !== window) throw new Error('not the operator');
  return (await import('../desk/desk.tsx')).Desk;
});

interface Props extends Omit<ScreenProps, 'known'> {
  readonly show: Show;
  /** For the desk alone: it knows more than is shown. */
  readonly deskFeed: DeskFeed;
  /** Whether the visitor comes back to a screen that they had seen. */
  readonly isBack: boolean;
  /** Shown until the chart has loaded. */
  readonly chartSkeleton: ReactNode;
}

/** The standings in every form. Loaded late, since goty does without them. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Results({ show, isBack, nominees, ...props }: Props) {
  // Legend and table come after the chart: to render long ones for the first time would take the time of its first frames.
  const isListed = useDeferredValue(true, isBack);
  const { scene, standings, status } = show;
  const games = useGames(standings, nominees);
  const announced = useAnnounced(show);
  const isCounted = isCounting(scene);
  useCoversAhead(games, isCounted ? MAX_WINNER_COVERS : 0);
  const isHidden = isSecret(status.phase);
  const hasRanking = !isHidden && !isCounted;
  const headline = headlineAt(standings, status);
  const isWon = headline.kind === 'won';
  /** Frozen from the opening on: nothing is known, and zeros would say something else. */
  const isUntold = isHidden && totalVotes(standings) === 0;
  const heldMark = isUntold ? 'untold' : 'old';
  // Standings may come later than the answer to a vote: a game without votes is not marked yet.
  const lastVoteId = useObservable(props.lastVote);
  const votedGame = games.find((game) => game.id === lastVoteId && (game.value > 0 || !hasRanking));
  const [pointed, onPoint] = useState<string>();
  const save = async () => {
    const { drawResult, savePicture } = await import('./result-picture.ts');
    return savePicture(await drawResult(headline, games, status.closesAt));
  };
  const pointing = { games, yourVote: votedGame?.id, pointed, onPoint };
  return (
    <>
      <Suspense>
        <LateDesk {...props.deskFeed} />
      </Suspense>
      <div className={styles.headline}>
        <StandingsHeadline {...headline} status={status} />
        <LeaderFace games={games} isOpen={isVoting(status.phase) && !isHidden} />
      </div>
      <div className={styles.chartBox} data-held={status.phase === 'held' ? heldMark : undefined}>
        <Suspense fallback={props.chartSkeleton}>
          <ResultsChart {...pointing} isRapid={show.isRapid} isSecret={!hasRanking} isWon={isWon} />
        </Suspense>
        {isWon && (
          <WinnerCovers
            games={leadersOf(games)}
            max={MAX_WINNER_COVERS}
            isCelebrated={scene === 'winner'}
            className={styles.winners}
            coverClassName={styles.winner}
          />
        )}
        {isVoting(status.phase) && (
          <p className={styles.address}>{screenUrl('/goty')?.replace(/^https?:\/\//, '')}</p>
        )}
      </div>
      {isListed && (
        <ResultsDetails
          {...pointing}
          announced={isUntold ? undefined : announced}
          isCounting={isCounted}
          hasPlaces={hasRanking}
          shared={{ ...sharedOf(status, headline, votedGame), save: isWon ? save : undefined }}
        />
      )}
      <Curtain {...show} />
      <StandingsStatus standings={announced} status={status} />
    </>
  );
}

/** Covers the panel while votes are counted, from the first frame on, and lifts as the winner comes (SPEC W111, W146). */
function Curtain({ scene, connection }: Pick<Show, 'scene' | 'connection'>) {
  const isCovered = isCounting(scene) && connection === 'live';
  if (!isCovered && scene !== 'winner') return null;
  return (
    <p className={styles.curtain} data-counting={isCovered || undefined} aria-hidden="true">
      {isCovered && <span>{texts.inicio.status.counting}</span>}
    </p>
  );
}

/** What is shared: once voting is over who has won, as soon as that is told, and before the voting page. */
function sharedOf({ phase }: VoteStatus, { title, kind }: Headline, votedGame?: GameView) {
  if (votingIn(phase) === 'closed') {
    const text = kind === 'won' ? title : texts.goty.notices[phase];
    return { path: '/inicio', text } as const;
  }
  const { invitation, voted } = shareButtonTexts;
  const text = votedGame ? voted(votedGame.name, isVoting(phase)) : invitation;
  return { path: '/goty', text } as const;
}

interface DetailsProps {
  readonly games: readonly GameView[];
  /** What the table tells until somebody asks for the ranking; nothing while nothing is known. */
  readonly announced: readonly Standing[] | undefined;
  /** Whether votes are counted, so that the table names no winner yet. */
  readonly isCounting: boolean;
  /** Whether a place may be told. */
  readonly hasPlaces: boolean;
  readonly yourVote: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
  readonly shared: ComponentProps<typeof ShareButton>;
}

/** What is below the chart: the legend, the table, and the ways to share and to the stage. */
function ResultsDetails({ games, announced, onPoint, shared, ...props }: DetailsProps) {
  const [isRanked, setIsRanked] = useState(false);
  const announcedGames = useMemo(() => viewGames(announced ?? []), [announced]);
  return (
    <>
      <ResultsLegend games={games} onPoint={onPoint} />
      {/* Below the legend, and not there sooner: the buttons would move when the legend comes. */}
      <div className="row">
        {announced && (
          <ResultsTable
            games={isRanked ? games : announcedGames}
            {...props}
            isRanked={isRanked}
            onRank={setIsRanked}
          />
        )}
        <ShareButton {...shared} />
        <a href={STAGE_HASH} className={`button quiet ${styles.toStage}`} onClick={fillScreen}>
          {resultTexts.fullScreen}
        </a>
      </div>
    </>
  );
}

/**
 * What stands beside the status: all votes so far (SPEC W63) or, while newer ones are secret, until when they are counted
 * (SPEC W93), how many pages watch (SPEC W126), and until when voting is open (SPEC W120). Whatever the status says, each of
 * these says by itself what it is about.
 */
export function VotesTotal(show: Pick<Show, 'connection' | 'standings' | 'status' | 'viewers'>) {
  const { phase, closesAt, frozenAt = 0, clockOffset } = show.status;
  const total = totalVotes(show.standings);
  const viewers = (show.connection === 'live' && show.viewers) || 0;
  // 'Termina' beside 'Sin conexión' would seem to be said of the connection. Its place stays, so that nothing moves (SPEC W11).
  const isUnsaid = phase === 'open' && show.connection !== 'live';
  const endWords = phase === 'open' ? resultTexts.ends : resultTexts.closes;
  return (
    <>
      {total > 0 && (isSecret(phase) || isPublic(phase)) && (
        <p className={styles.total}>
          {isSecret(phase) ? resultTexts.countUntil(formatMoment(frozenAt)) : formatVotes(total)}
        </p>
      )}
      {viewers > 1 && (
        <p className={styles.viewers}>
          <span>{resultTexts.watching(formatCount(viewers))}</span>
        </p>
      )}
      {isVoting(phase) && closesAt !== undefined && (
        <p className={styles.ends} aria-hidden={isUnsaid || undefined}>
          <Deadline to={closesAt} clockOffset={clockOffset} words={endWords} />
        </p>
      )}
    </>
  );
}

/**
 * What the chart shows, in a sentence: who leads or has won, or when the vote begins. Until React has
 * loaded, first-headline.ts shows the same.
 */
function StandingsHeadline(props: Headline & Pick<Show, 'status'>) {
  const { name, detail, kind, status } = props;
  const { opensAt = 0, clockOffset } = status;
  return (
    // With a new key, words that stand elsewhere come in a new element, so that nothing moves.
    <div key={kind} className="standings-headline" data-kind={kind}>
      {(kind === 'won' || kind === 'empty') && (
        <img src="/trophy.svg" alt="" width="72" height="72" />
      )}
      <div>
        <h2>
          {name && (
            <>
              <bdi translate="no">{name}</bdi>{' '}
            </>
          )}
          <span>{titleWithoutName(props)}</span>
        </h2>
        <p>{detail}</p>
      </div>
      {kind === 'before' && (
        <Countdown to={opensAt} clockOffset={clockOffset} words={resultTexts.opensAt} />
      )}
    </div>
  );
}

/** A polite status for screen readers that says who leads or has won (SPEC W23). */
function StandingsStatus({ standings, status }: Pick<Show, 'standings' | 'status'>) {
  const total = totalVotes(standings);
  const isTold = total > 0 && isPublic(status.phase);
  const totalText = isTold ? ` ${resultTexts.total(formatVotes(total))}.` : '';
  return (
    <p className="visually-hidden" role="status">
      {spokenHeadline(headlineAt(standings, status)) + totalText}
    </p>
  );
}

/**
 * Returns the standings for what only a screen reader hears: a status, and the table until somebody asks for the ranking.
 * They are the newest of the show at most every 10 s, and at once with another phase.
 */
export function useAnnounced({ standings, status: { phase } }: Show): readonly Standing[] {
  const [announced, setAnnounced] = useState(() => take());
  if (announced.phase !== phase) setAnnounced(take());

  useEffect(() => {
    if (standings === announced.standings) return;
    const wait = announced.at + ANNOUNCE_EVERY_MS - performance.now();
    const follow = () =>
      startTransition(() => setAnnounced({ standings, phase, at: performance.now() }));
    const timer = setTimeout(follow, Math.max(0, wait));
    return () => clearTimeout(timer);
  }, [announced, standings, phase]);

  return announced.standings;

  function take() {
    return { standings, phase, at: performance.now() };
  }
}

// Not every browser can fill the screen, or will. The stage fills the window, too.
const fillScreen = () => void document.documentElement.requestFullscreen?.().catch(() => {});
