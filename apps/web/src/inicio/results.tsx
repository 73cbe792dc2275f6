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
import { isBeforeWinner, type Show } from '../results/show.ts';
import { screenUrl } from '../share/share.ts';
import { ShareButton } from '../share/share-button.tsx';
import { LeaderFace } from './leader.tsx';
import { ResultsLegend, ResultsTable } from './legend.tsx';
import styles from './results.module.css';

/** The chart loads by itself, because Chart.js is most of the JavaScript, and headline and legend need not wait for it. */
const ResultsChart = lazy(async () => ({ default: (await import('./chart.tsx')).ResultsChart }));

/** The covers of up to so many winners are shown. With more, each cover would be too small for a celebration. */
const MAX_WINNER_COVERS = 6;

/** A screen reader that gets newer standings too often is interrupted, or loses its place (SPEC W23). */
const ANNOUNCE_EVERY_MS = 10_000;

/** In a frame, the desk does not load: the page around it could lead the operator to press what they do not see. */
const LateDesk = lazyOptional(async () => {
  // Where the browser stores nothing, the code of a link to the desk is still in the address.
  const isInvited = window.location.hash.startsWith(`#${DESK_NAME}=`);
  const isIn =
    isInvited || (sessionStorage.getItem(DESK_NAME) ?? localStorage.getItem(DESK_NAME)) !== null;
  if (!isIn || window.parent !== window) throw new Error('not the operator');
  return (await import('../desk/desk.tsx')).Desk;
});

interface Props extends Omit<ScreenProps, 'known'> {
  readonly show: Show;
  /** For the desk alone, because this feed knows more than may be shown. */
  readonly deskFeed: DeskFeed;
  readonly isBack: boolean;
  readonly chartSkeleton: ReactNode;
}

/** The results are a module of their own that is loaded late, since the screen goty does without it. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Results({ show, isBack, nominees, ...props }: Props) {
  // Legend and table come after the chart, because the rendering of long ones would delay the first frames of the chart.
  // React defers no first value in a rendering that is deferred itself, as that of the results is, so the value changes later.
  const [isMounted, setIsMounted] = useState(isBack);
  useEffect(() => setIsMounted(true), []);
  const isListed = useDeferredValue(isMounted);
  const { scene, standings, status } = show;
  const games = useGames(standings, nominees);
  const announced = useAnnounced(show);
  const isCounted = isBeforeWinner(scene);
  useCoversAhead(games, isCounted ? MAX_WINNER_COVERS : 0);
  const isHidden = isSecret(status.phase);
  const hasRanking = !isHidden && !isCounted;
  const headline = headlineAt(standings, status);
  const isWon = headline.kind === 'won';
  /** Whether the freeze began before anybody had voted: zeros would say that nobody has voted since. */
  const isUntold = isHidden && totalVotes(standings) === 0;
  const heldMark = isUntold ? 'untold' : 'old';
  // Standings may come later than the answer to the visitor's vote, so a game that has no votes yet is not marked.
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

/** The curtain lifts when the winner comes (SPEC W111, W146). Without a connection there is no curtain. */
function Curtain({ scene, connection }: Pick<Show, 'scene' | 'connection'>) {
  const isCovered = isBeforeWinner(scene) && connection === 'live';
  if (!isCovered && scene !== 'winner') return null;
  return (
    <p className={styles.curtain} data-counting={isCovered || undefined} aria-hidden="true">
      {isCovered && <span>{texts.inicio.status.counting}</span>}
    </p>
  );
}

/** What is shared is goty until voting is over, and then inicio, with the winner once that may be told. */
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
  /** The standings in the table until somebody asks for the ranking; `undefined` while nothing is known. */
  readonly announced: readonly Standing[] | undefined;
  /** Whether votes are counted, so that the table names no winner yet. */
  readonly isCounting: boolean;
  readonly hasPlaces: boolean;
  readonly yourVote: string | undefined;
  readonly onPoint: (id: string | undefined) => void;
  readonly shared: ComponentProps<typeof ShareButton>;
}

function ResultsDetails({ games, announced, onPoint, shared, ...props }: DetailsProps) {
  const [isRanked, setIsRanked] = useState(false);
  const announcedGames = useMemo(() => viewGames(announced ?? []), [announced]);
  return (
    <>
      <ResultsLegend games={games} onPoint={onPoint} />
      {/* The buttons come with the legend: if they came before it, it would push them down. */}
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
 * Says the number of votes (SPEC W63) or, while newer votes are secret, up to when they are counted (SPEC W93), how many pages
 * watch (SPEC W126), and until when voting is open (SPEC W120).
 */
export function VotesTotal(show: Pick<Show, 'connection' | 'standings' | 'status' | 'viewers'>) {
  const { phase, closesAt, frozenAt = 0, clockOffset } = show.status;
  const total = totalVotes(show.standings);
  const viewers = (show.connection === 'live' && show.viewers) || 0;
  // 'Termina …' beside 'Sin conexión' would seem to be about the connection. Hidden words keep their place (SPEC W11).
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

/** first-headline.ts shows the same sentence until React has loaded. */
function StandingsHeadline(props: Headline & Pick<Show, 'status'>) {
  const { name, detail, kind, status } = props;
  const { opensAt = 0, clockOffset } = status;
  return (
    // Each kind has its own key: words that stand elsewhere then come in a new element, and nothing moves.
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

/** Returns the standings that only screen readers hear: newer ones every 10 s at most, and at once in a new phase. */
export function useAnnounced({ standings, status: { phase } }: Show): readonly Standing[] {
  const [announced, setAnnounced] = useState(take);
  if (announced.phase !== phase) setAnnounced(take());

  useEffect(() => {
    if (standings === announced.standings) return;
    const wait = announced.at + ANNOUNCE_EVERY_MS - performance.now();
    const follow = () => startTransition(() => setAnnounced(take()));
    const timer = setTimeout(follow, Math.max(0, wait));
    return () => clearTimeout(timer);
  }, [announced, standings, phase]);

  return announced.standings;

  function take() {
    return { standings, phase, at: performance.now() };
  }
}

// A browser that cannot show a page in full screen, or refuses to, still shows the stage in the whole window.
const fillScreen = () => void document.documentElement.requestFullscreen?.().catch(() => {});
