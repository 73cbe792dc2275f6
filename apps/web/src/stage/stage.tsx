import { type Standing, totalVotes } from '@goty/shared/game';
import { isCoverUrl } from '@goty/shared/nominee';
import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import {
  type RefObject,
  useEffect,
  useInsertionEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Countdown } from '../base/countdown.tsx';
import { formatCount, formatVotes } from '../base/format.ts';
import { useObservable } from '../base/react.ts';
import { isVoting } from '../live/fetch-standings.ts';
import type { VoteStatus } from '../live/live-state.ts';
import { type GameView, leadersOf, viewGames } from '../results/game-view.ts';
import { headlineAt, spokenHeadline, titleWithoutName } from '../results/headline.ts';
import type { InicioScreenProps } from '../results/inicio-screen.tsx';
import { GameCover, useNewLeader } from '../results/leader.tsx';
import { WinnerCovers } from '../results/winners.tsx';
import { QrCode } from '../share/qr-code.tsx';
import { screenUrl } from '../share/share.ts';
import { type Scene, type StageState, useStageState } from './scene.ts';
import styles from './stage.module.css';
import { StageRanking } from './stage-ranking.tsx';

/** The title's sizes in rem, and how many letters of each name are shown: one after the other, until all fits. */
const FITS = [
  ...[2.5, 2.1, 1.7, 1.45, 1.2].map((size) => ({ size, letters: Infinity })),
  ...[60, 45, 32, 24, 16, 10].map((letters) => ({ size: 1.2, letters })),
];
/** So many covers are loaded ahead, of those games that lead as far as is told. */
const MAX_PRELOADED_COVERS = 60;
const STAGE_NEWS = { shownMs: 3_000, everyMs: 0 };
/** More are not told apart from afar: then their number is shown. */
const MAX_STAGE_COVERS = 3;
/** How long the pointer is still before it hides. */
const STILL_MS = 3_000;
/** Scenes that are one sentence. */
const MESSAGES: Partial<Record<Scene, string>> = {
  loading: texts.inicio.status.loading,
  offline: texts.inicio.offlineEmpty,
  empty: texts.states.empty,
  held: resultTexts.held,
  counting: texts.inicio.status.counting,
};

/** What a hall sees, and nothing else, as large as the screen allows (SPEC W62). */
// biome-ignore lint/style/noDefaultExport: React.lazy takes the default export
export default function Stage({ known, nominees, watch }: InicioScreenProps) {
  const show = useStageState(known);
  const list = useObservable(nominees.state).nominees;
  useEffect(() => void nominees.ensureLoaded(), [nominees]);
  useEffect(watch, [watch]);
  // Before anything is measured, because it enlarges the type.
  useInsertionEffect(prepareHall, []);
  const { scene, standings, status } = show;
  // Without a connection, nobody knows whether votes are counted.
  const isLost = scene === 'counting' && show.connection === 'offline';
  const message = MESSAGES[isLost ? 'offline' : scene];
  const games = viewGames(standings, list);
  useCoversAhead(games);
  const headline = stageHeadline(standings, status);
  return (
    <main className={styles.stage} data-scene={scene}>
      <p className="visually-hidden" role="status">
        {/* Of what each vote changes, only the leader is spoken. */}
        {message ?? (status.phase === 'closed' ? spokenHeadline(headline) : headline.title)}
      </p>
      {message === undefined ? (
        <>
          <div className={styles.column}>
            {scene === 'winner' ? (
              <WinnerCovers
                games={games}
                max={MAX_STAGE_COVERS}
                isCelebrated={!window.matchMedia('(prefers-reduced-motion: reduce)').matches}
                className={styles.winners}
                coverClassName={styles.cover}
                isDoubled
              />
            ) : (
              <StatusLine {...show} />
            )}
            <FittedHeadline key={scene} standings={standings} status={status} />
            {scene !== 'winner' && <Content {...show} games={games} />}
          </div>
          {(status.phase === 'before' || isVoting(status.phase)) && <Invitation />}
        </>
      ) : (
        <h1 key={scene} className={styles.message}>
          {message}
        </h1>
      )}
    </main>
  );
}

// When it has ended, everybody in a hall knows.
const stageHeadline = (standings: readonly Standing[], status: VoteStatus) =>
  headlineAt(standings, {
    ...status,
    closesAt: undefined,
    movedFrom: undefined,
    reopenedAt: undefined,
  });

/** The headline, as large as there is room for. Names are cut only where there is none for whole ones (SPEC W147). */
function FittedHeadline({ standings, status }: Pick<StageState, 'standings' | 'status'>) {
  const box = useRef<HTMLDivElement>(null);
  const { title, detail } = stageHeadline(standings, status);
  const fails = useFailedFits(box, title + detail, FITS.length - 1);
  const { size = 0, letters = 0 } = FITS[fails] ?? {};
  const cut = (name: string) =>
    [...name].length > letters ? `${[...name].slice(0, letters).join('').trim()}…` : name;
  const named = standings.map((game) => ({ ...game, name: cut(game.name) }));
  const fitted = stageHeadline(named, status);
  return (
    <div ref={box} className={styles.headline}>
      <h1 style={{ fontSize: `${size}rem` }}>
        {fitted.name && (
          <>
            <bdi translate="no">{fitted.name}</bdi>{' '}
          </>
        )}
        <span>{titleWithoutName(fitted)}</span>
      </h1>
      <p>{fitted.detail}</p>
    </div>
  );
}

/** Returns how often the content of `box` did not fit since it has changed, at most `max`. Each time it is rendered again. */
function useFailedFits(box: RefObject<HTMLElement | null>, content: string, max: number): number {
  const [last, setLast] = useState({ content, fails: 0 });
  const fails = last.content === content ? last.fails : 0;
  useLayoutEffect(() => {
    const parts = box.current ? [box.current, ...box.current.children] : [];
    // In some fonts, letters stand out of their line, by less than a fifth of their size. That cuts nothing.
    const isCut = parts.some((part) => {
      const overhang = Number.parseFloat(getComputedStyle(part).fontSize) / 5;
      return part.scrollHeight > part.clientHeight + overhang;
    });
    if (isCut && fails < max) setLast({ content, fails: fails + 1 });
  });
  useEffect(() => {
    const start = () => setLast({ content: '', fails: 0 });
    window.addEventListener('resize', start);
    return () => window.removeEventListener('resize', start);
  }, []);
  return fails;
}

/** Whoever wins, their cover is there when their scene begins. */
function useCoversAhead(games: readonly GameView[]) {
  const covers = games.filter(({ at }) => at < MAX_PRELOADED_COVERS).map(({ cover = '' }) => cover);
  const addresses = covers.filter(isCoverUrl).sort().join('\n');
  const loaded = useRef<readonly HTMLImageElement[]>([]);
  useEffect(() => {
    if (addresses === '') return;
    // Kept, or the browser might forget them.
    loaded.current = addresses.split('\n').map((src) => Object.assign(new Image(), { src }));
    for (const image of loaded.current) image.decode().catch(() => {});
  }, [addresses]);
}

function StatusLine({ connection, standings, status: { phase } }: StageState) {
  const said = connection === 'live' ? phase : connection;
  const total = totalVotes(standings);
  const votes = total > 0 && phase !== 'frozen' ? [formatVotes(total)] : [];
  return (
    <p className={styles.status} data-status={said}>
      <span>{[texts.inicio.status[said], ...votes].join(' · ')}</span>
    </p>
  );
}

function Content({ scene, status, games }: StageState & { readonly games: readonly GameView[] }) {
  const { phase, opensAt = 0, closesAt = 0, clockOffset } = status;
  const leaders = leadersOf(games);
  const leader = scene === 'live' && leaders.length === 1 ? leaders[0]?.id : undefined;
  const news = useNewLeader(leader, STAGE_NEWS);
  const hasPodium = scene === 'podium' && leaders.length <= MAX_STAGE_COVERS;
  const isOnPodium = ({ at, value }: GameView) => hasPodium && at < MAX_STAGE_COVERS && value > 0;
  const first = games.filter(isOnPodium).sort((a, b) => a.at - b.at);
  const to = phase === 'before' ? opensAt : closesAt;
  const countdown = <Countdown to={to} clockOffset={clockOffset} words={resultTexts.ends} />;
  return (
    <>
      {first.length > 0 && (
        <ol className={styles.podium} translate="no">
          {first.map((game) => (
            <li key={game.id} data-tie={leaders.length > 1 || undefined}>
              <GameCover {...game} className={styles.cover} isDoubled />
              <p className={styles.caption}>
                {game.place} <bdi>{game.name}</bdi>
                <br />
                <b>{`${formatCount(game.value)} · ${game.share}`}</b>
              </p>
            </li>
          ))}
        </ol>
      )}
      {phase === 'before' && <div className={styles.countdown}>{countdown}</div>}
      {phase !== 'before' && games.length > first.length && (
        <StageRanking {...{ games, news }} from={first.length} isSecret={phase === 'frozen'} />
      )}
      {news !== undefined && <p className={`badge ${styles.news}`}>{resultTexts.newLeader}</p>}
      {scene === 'last' && <div className={styles.last}>{countdown}</div>}
    </>
  );
}

function Invitation() {
  const address = screenUrl('/goty')?.replace(/^https?:\/\//, '');
  if (address === undefined) return null;
  return (
    <aside className={styles.invitation}>
      <QrCode />
      <div>
        <h2>{resultTexts.scan}</h2>
        <p className={styles.address} translate="no">
          {address.split(/(?=[./])/).map((part, at) => (
            <span key={`${at}`}>
              <wbr />
              {part}
            </span>
          ))}
        </p>
      </div>
    </aside>
  );
}

/** Nobody touches a screen in a hall: it stays on, and the pointer hides. Who leaves full screen leaves the stage. */
function prepareHall(): () => void {
  // Until here, it hides the other screen (index.html).
  document.getElementById('sala')?.remove();
  document.title = texts.inicio.titles.before;
  const { dataset, style } = document.documentElement;
  dataset.stage = '';
  const { wakeLock }: Partial<Navigator> = navigator;
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const point = () => {
    clearTimeout(timer);
    style.cursor = '';
    timer = setTimeout(() => style.setProperty('cursor', 'none'), STILL_MS);
  };
  const wake = () => {
    // Refused on a machine with an empty battery.
    if (document.visibilityState === 'visible') wakeLock?.request().catch(() => {});
  };
  point();
  wake();
  document.addEventListener('pointermove', point, ended);
  document.addEventListener('visibilitychange', wake, ended);
  const leave = () => document.fullscreenElement ?? window.history.back();
  document.addEventListener('fullscreenchange', leave, ended);
  return () => {
    ended.abort();
    delete dataset.stage;
    clearTimeout(timer);
    style.cursor = '';
  };
}
