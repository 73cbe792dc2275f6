import { totalVotes } from '@goty/shared/game';
import { resultTexts, shareButtonTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import {
  type CSSProperties,
  type PropsWithChildren,
  type ReactNode,
  use,
  useEffect,
  useInsertionEffect,
  useRef,
} from 'react';
import { Countdown, Deadline } from '../base/countdown.tsx';
import { formatCount, formatVotes } from '../base/format.ts';
import { OVERLAY_HASH } from '../base/request.ts';
import { isPublic, isSecret, isVoting, votingIn } from '../live/fetch-standings.ts';
import type { ScreenProps, VoteFeed } from '../live/vote-feed.ts';
import {
  GameCover,
  SlidingCover,
  useCoversAhead,
  useGames,
  useNewLeader,
  WinnerCovers,
} from '../results/covers.tsx';
import { type GameView, leadersOf, onlyLeaderOf } from '../results/game-view.ts';
import { isBeforeWinner, type Scene, type Show, useShow } from '../results/show.ts';
import { QrCode } from '../share/qr-code.tsx';
import { eventName, screenUrl } from '../share/share.ts';
import { useFreshAddresses } from './fresh-addresses.ts';
import { prepareHall } from './prepare-hall.ts';
import styles from './stage.module.css';
import { FittedHeadline, stageHeadline, useFailedFits } from './stage-headline.tsx';
import { StageRanking } from './stage-ranking.tsx';
import { loadTypeface } from './typeface.ts';

const typeface = loadTypeface();

/** Newer standings wait longer than a row glides, in milliseconds, so that the row rests before it moves again. */
const STAGE_DRAW_MS = 2_000;
/** How many covers are loaded ahead. More would take bandwidth from what is shown. */
const MAX_COVERS_AHEAD = 60;
/** The most covers on the wall: in a hall, nobody could recognize more. */
const MAX_WALL_COVERS = 32;
const OVERLAY_ROWS = 3;
/** Near a tie, the lead changes with each vote, and announcing each change would say nothing. */
const NEW_LEADER_TIMES = { shownMs: 3_000, everyMs: 5_000 };
/** More covers could not be told apart from afar, so the number of winners is shown instead. */
const MAX_STAGE_COVERS = 3;
/** At most how often the type of an invitation that does not fit is made smaller by a tenth. */
const MAX_SHRINKS = 5;
/** The sentence of each scene that has no other words; `undefined` for the other scenes. */
const MESSAGES: Record<Scene, string | undefined> = {
  loading: texts.inicio.status.loading,
  offline: texts.inicio.offlineEmpty,
  empty: texts.states.empty,
  held: resultTexts.held,
  counting: texts.inicio.status.counting,
  waiting: undefined,
  live: undefined,
  frozen: undefined,
  last: undefined,
  third: undefined,
  second: undefined,
  dark: undefined,
  winner: undefined,
  podium: undefined,
};

interface Props extends Omit<ScreenProps, 'lastVote'>, Pick<VoteFeed, 'watch'> {
  readonly hash: string;
}

/** The stage, which is all that a hall sees, or the overlay for the viewers of a stream (SPEC W62, W152). */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Stage({ known, nominees, watch, hash }: Props) {
  const isOverlay = hash.startsWith(OVERLAY_HASH);
  // The stage waits for its typeface, because one that came later would move what stands there.
  use(typeface);
  const [show, playAgain] = useShow(known, STAGE_DRAW_MS);
  useEffect(watch, [watch]);
  useFreshAddresses();
  // The hall is prepared before anything is measured, because the stage has larger type than the other screens.
  useInsertionEffect(() => prepareHall(isOverlay), [isOverlay]);
  const { scene, standings, status } = show;
  useEffect(() => {
    if (scene !== 'podium') return;
    document.addEventListener('click', playAgain);
    return () => document.removeEventListener('click', playAgain);
  }, [scene, playAgain]);
  const isVotable = votingIn(status.phase) !== 'closed';
  // Without a connection, nobody knows whether votes are still counted, so the stage says that there is none.
  const isLost = scene === 'counting' && show.connection === 'offline';
  const message = MESSAGES[isLost ? 'offline' : scene];
  const games = useGames(standings, nominees);
  useCoversAhead(games, MAX_COVERS_AHEAD);
  // The words 'Termina …' do not say what ends, which is clear only beside 'En directo'.
  const isLiveVote = show.connection === 'live' && status.phase === 'open';
  const endWords = isLiveVote ? resultTexts.ends : resultTexts.closes;
  // The scenes 'held' and 'counting' share their elements: only the sentence changes, and the wall begins to glimmer.
  const isEnd = scene === 'held' || (scene === 'counting' && !isLost);
  const deadline = isVoting(status.phase) && status.closesAt !== undefined && (
    <p>
      <Deadline {...status} to={status.closesAt} words={endWords} />
    </p>
  );
  // A plate that says that the page is loading, or that there are no games, would hide the video for nothing.
  if (isOverlay && (scene === 'loading' || scene === 'empty')) return null;
  return (
    <main
      className={isOverlay ? styles.overlay : styles.stage}
      data-scene={scene}
      data-reveal={isReveal(scene) || undefined}
    >
      <p className="visually-hidden" role="status">
        {message ?? stageHeadline(show).spoken}
      </p>
      {!isOverlay && <EventName />}
      {message === undefined ? (
        <>
          <Column show={show} games={games} isOverlay={isOverlay} />
          {isOverlay ? (
            <Invitation key={scene} title={resultTexts.voteAt} isOpen={isVotable}>
              <EventName />
              <StatusLine {...show} />
              {deadline}
            </Invitation>
          ) : (
            <Invitation
              title={resultTexts.scan}
              isOpen={isVotable}
              above={<Face games={games} isOpen={scene === 'live'} />}
              below={deadline}
            />
          )}
        </>
      ) : (
        <Message key={isEnd ? 'end' : scene} text={message} isEnd={isEnd}>
          {isEnd && !isOverlay && <CoverWall games={games} />}
        </Message>
      )}
    </main>
  );
}

interface ColumnProps {
  readonly show: Show;
  readonly games: readonly GameView[];
  readonly isOverlay: boolean;
}

function Column({ show, games, isOverlay }: ColumnProps) {
  const { scene, placed, status } = show;
  // Once there are votes that may be told, the overlay's three rows take the place of the headline. In the scene of the winner,
  // or if more than three games lead, only the headline tells enough.
  const leaders = leadersOf(games).length;
  const isRankedOverlay =
    isOverlay &&
    isPublic(status.phase) &&
    scene !== 'winner' &&
    leaders > 0 &&
    leaders <= OVERLAY_ROWS;
  const news = useNewLeader(scene === 'live' ? onlyLeaderOf(games) : undefined, NEW_LEADER_TIMES);
  const isPlaced = ({ id }: GameView) => placed.some((game) => game.id === id);
  const told = scene === 'winner' ? leadersOf(games) : games.filter(isPlaced);
  return (
    <div className={styles.column}>
      {told.length > 0 ? (
        <WinnerCovers
          // The headline beside the covers has the scene as its key, so the covers need another key.
          key={`covers-${scene}`}
          games={told}
          max={MAX_STAGE_COVERS}
          isCelebrated={scene === 'winner' && !isOverlay}
          className={styles.winners}
          coverClassName={styles.cover}
          isLarge
        />
      ) : (
        !isOverlay && !isReveal(scene) && <StatusLine {...show} />
      )}
      {!isRankedOverlay && scene !== 'dark' && (
        <FittedHeadline key={scene} {...show} sweep={games.find(({ id }) => id === news)?.color} />
      )}
      {!isReveal(scene) && (
        <Content
          {...show}
          games={games}
          news={news}
          hasRanking={isOverlay ? isRankedOverlay : status.phase !== 'before'}
          isOverlay={isOverlay}
        />
      )}
    </div>
  );
}

function isReveal(scene: Scene): boolean {
  return scene === 'winner' || isBeforeWinner(scene);
}

interface MessageProps extends PropsWithChildren {
  readonly text: string;
  readonly isEnd: boolean;
}

/** A scene that is one sentence, with the trophy above it at the end of a vote. */
function Message({ text, isEnd, children }: MessageProps) {
  return (
    <div className={styles.message}>
      {isEnd && <img src="/trophy.svg" alt="" />}
      <h1>{text}</h1>
      {children}
    </div>
  );
}

function EventName() {
  const name = eventName();
  return name && <p className={styles.event}>{name}</p>;
}

function StatusLine({ connection, standings, status: { phase } }: Show) {
  const statusName = connection === 'live' ? phase : connection;
  const total = totalVotes(standings);
  const votes = isPublic(phase) && total > 0 ? [formatVotes(total)] : [];
  return (
    <p className={styles.status} data-status={statusName}>
      {[texts.inicio.status[statusName], ...votes].join('\u00a0· ')}
    </p>
  );
}

interface ContentProps extends Show {
  readonly games: readonly GameView[];
  readonly news: string | undefined;
  readonly hasRanking: boolean;
  /** Whether this is the overlay, which has room for three games at most. */
  readonly isOverlay: boolean;
}

function Content({ scene, status, games, news, hasRanking, isOverlay }: ContentProps) {
  const { phase, opensAt = 0, closesAt = 0, clockOffset } = status;
  const leaders = leadersOf(games);
  const isPodium = scene === 'podium' && !isOverlay && leaders.length <= MAX_STAGE_COVERS;
  const isOnPodium = ({ at, value }: GameView) => isPodium && at < MAX_STAGE_COVERS && value > 0;
  const first = games.filter(isOnPodium).sort((a, b) => a.at - b.at);
  const next =
    phase === 'before'
      ? { to: opensAt, words: resultTexts.opensAt }
      : { to: closesAt, words: resultTexts.closes };
  const countdown = <Countdown {...next} clockOffset={clockOffset} />;
  return (
    <>
      {first.length > 0 && (
        <ol className={styles.podium} data-tie={leaders.length > 1 || undefined} translate="no">
          {first.map((game) => (
            <li key={game.id} data-rank={game.rank}>
              <GameCover {...game} className={styles.cover} hasCopy />
              <p className={styles.step}>
                <span>
                  <span>{game.place}</span> <bdi>{game.name}</bdi>
                </span>{' '}
                <b>{`${formatCount(game.value)} · ${game.share}`}</b>
              </p>
            </li>
          ))}
        </ol>
      )}
      {phase === 'before' && scene !== 'last' && (
        <div className={styles.countdown}>{countdown}</div>
      )}
      {scene === 'waiting' && !isOverlay && <CoverWall games={games} />}
      {hasRanking && games.length > first.length && (
        <StageRanking
          games={games}
          news={news}
          maxRows={isOverlay ? OVERLAY_ROWS : Infinity}
          from={first.length}
          isSecret={isSecret(phase)}
        />
      )}
      {news !== undefined && <p className={`badge ${styles.news}`}>{resultTexts.newLeader}</p>}
      {scene === 'last' && (
        <div className={styles.last}>
          {phase !== 'before' && <p>{resultTexts.lastSeconds}</p>}
          {countdown}
        </div>
      )}
    </>
  );
}

/** While no game leads alone, or the leader is secret, the trophy stands in the place of the cover. */
function Face({ games, isOpen }: Pick<ContentProps, 'games'> & { readonly isOpen: boolean }) {
  return (
    <SlidingCover
      games={games}
      leader={isOpen ? onlyLeaderOf(games) : undefined}
      className={styles.face}
      coverClassName={styles.cover}
    />
  );
}

/** The order of the ids does not give away who leads. */
function CoverWall({ games }: Pick<ContentProps, 'games'>) {
  const wallGames = games.slice(0, MAX_WALL_COVERS);
  // There are about twice as many columns as rows, because most screens are wide. An upright screen swaps them.
  const short = Math.round(Math.sqrt(wallGames.length / 2));
  const counts = { '--long': Math.ceil(wallGames.length / short), '--short': short };
  return (
    <div className={styles.wall} style={counts as CSSProperties}>
      {wallGames.map((game, at) => (
        // By the golden ratio, no two neighbours light up one after the other, however many covers there are.
        <GameCover
          key={game.id}
          {...game}
          className={styles.cover}
          turn={(at * 0.618) % 1}
          hasCopy
        />
      ))}
    </div>
  );
}

interface InvitationProps extends PropsWithChildren {
  readonly title: string;
  /** Whether anybody can vote, now or later. Otherwise no address is shown. */
  readonly isOpen: boolean;
  /** What stands above the QR code. */
  readonly above?: ReactNode;
  /** What stands below the address. */
  readonly below?: ReactNode;
}

function Invitation({ title, isOpen, above, below, children }: InvitationProps) {
  const url = isOpen ? screenUrl('/goty') : undefined;
  const box = useRef<HTMLElement>(null);
  // In the overlay's plate, a long address may stand below a long deadline: the type becomes smaller until both fit.
  const fails = useFailedFits(box, `${url}`, MAX_SHRINKS);
  if (url === undefined && !children) return null;
  return (
    <aside ref={box} className={styles.invitation} style={{ fontSize: `${1 - fails / 10}rem` }}>
      {children}
      {url !== undefined && (
        <>
          {above}
          <QrCode url={url} label={shareButtonTexts.qrCode(url)} />
          <div>
            <h2>{title}</h2>
            <p className={styles.address} translate="no">
              {url
                .replace(/^https?:\/\//, '')
                .split(/(?=[./])/)
                .map((part, at) => (
                  <span key={`${at}`}>
                    <wbr />
                    {part}
                  </span>
                ))}
            </p>
            {below}
          </div>
        </>
      )}
    </aside>
  );
}
