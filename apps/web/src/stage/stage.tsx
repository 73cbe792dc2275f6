import { totalVotes } from '@goty/shared/game';
import { resultTexts } from '@goty/shared/result-texts';
import { texts } from '@goty/shared/texts';
import { type CSSProperties, useEffect, useState } from 'react';
import { Countdown } from '../base/countdown.tsx';
import { formatCount, formatVotes } from '../base/format.ts';
import { useObservable } from '../base/react.ts';
import { type GameView, leadersOf, viewGames } from '../results/game-view.ts';
import { headlineAt } from '../results/headline.ts';
import type { InicioScreenProps } from '../results/inicio-screen.tsx';
import { GameCover, useNewLeader } from '../results/leader.tsx';
import { WinnerCovers } from '../results/winners.tsx';
import { QrCode } from '../share/qr-code.tsx';
import { screenUrl } from '../share/share.ts';
import { type Scene, type StageState, useStageState } from './scene.ts';
import styles from './stage.module.css';
import { StageRanking } from './stage-ranking.tsx';

/** Longer names are cut in sentences, so that their verbs and numbers are not. */
const OVERLONG_NAME = /^(.{31}).{2,}$/su;
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
  useEffect(prepareHall, []);
  const { scene, standings, status } = show;
  // Without a connection, nobody knows whether votes are counted.
  const isLost = scene === 'counting' && show.connection === 'offline';
  const message = MESSAGES[isLost ? 'offline' : scene];
  const named = standings.map((game) => ({
    ...game,
    name: game.name.replace(OVERLONG_NAME, '$1…'),
  }));
  // When it has ended, everybody in a hall knows.
  const ended = { closesAt: undefined, movedFrom: undefined };
  const { title, detail } = headlineAt(named, { ...status, ...ended });
  const games = viewGames(standings, list);
  return (
    <main className={styles.stage} data-scene={scene}>
      <p className="visually-hidden" role="status">
        <Announcement key={scene} sentence={message ?? `${title}. ${detail}`} />
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
            <div className={styles.headline} style={{ '--length': title.length } as CSSProperties}>
              <h1>{title}</h1>
              <p>{detail}</p>
            </div>
            {scene !== 'winner' && <Content {...show} games={games} />}
          </div>
          {status.phase !== 'closed' && <Invitation />}
        </>
      ) : (
        <h1 key={scene} className={styles.message}>
          {message}
        </h1>
      )}
    </main>
  );
}

/** What is spoken when a scene begins. What changes in it later is not. */
function Announcement({ sentence }: { readonly sentence: string }) {
  const [said] = useState(sentence);
  return <span>{said}</span>;
}

function StatusLine({ connection, standings, status: { resultPhase } }: StageState) {
  const said = connection === 'live' ? resultPhase : connection;
  const total = totalVotes(standings);
  const votes = total > 0 && resultPhase !== 'frozen' ? [formatVotes(total)] : [];
  return (
    <p className={styles.status} data-status={said}>
      <span>{[texts.inicio.status[said], ...votes].join(' · ')}</span>
    </p>
  );
}

function Content({ scene, status, games }: StageState & { readonly games: readonly GameView[] }) {
  const { phase, resultPhase, opensAt = 0, closesAt = 0, clockOffset } = status;
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
        <StageRanking
          {...{ games, news }}
          from={first.length}
          isSecret={resultPhase === 'frozen'}
        />
      )}
      {news !== undefined && <p className={`badge ${styles.news}`}>{resultTexts.newLeader}</p>}
      {scene === 'last' && <div className={styles.last}>{countdown}</div>}
    </>
  );
}

function Invitation() {
  const address = screenUrl('/goty');
  if (address === undefined) return null;
  return (
    <aside className={styles.invitation}>
      <QrCode />
      <div>
        <h2>{resultTexts.scan}</h2>
        <b translate="no">
          {address.replace(/^https?:\/\/|\/goty$/g, '')}
          <wbr />
          /goty
        </b>
      </div>
    </aside>
  );
}

/** Nobody touches a screen in a hall: it stays on, and the pointer hides. Who leaves full screen leaves the stage. */
function prepareHall(): () => void {
  // Until here, it hides the other screen (index.html).
  document.getElementById('sala')?.remove();
  document.title = texts.inicio.titles.before;
  const { style } = document.documentElement;
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
    clearTimeout(timer);
    style.cursor = '';
  };
}
