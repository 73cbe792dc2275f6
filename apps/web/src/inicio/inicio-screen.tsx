import { texts } from '@goty/shared/texts';
import { voteTexts } from '@goty/shared/vote-texts';
import { lazy, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { lazyOptional, useObservable } from '../base/react.ts';
import { ScreenMessage } from '../base/screen.tsx';
import { isVoting } from '../live/fetch-standings.ts';
import type { ScreenProps, VoteFeed } from '../live/vote-feed.ts';
import './headline.css';
import { type Show, useShow } from '../results/show.ts';
import styles from './inicio-screen.module.css';

/** Newer standings wait so many milliseconds: ten updates a second would leave a slow phone no time (SPEC W39). */
const INICIO_DRAW_MS = 500;
const LINE = '<div class="skeleton"></div>';
const HEADLINE = {
  __html: `<div aria-hidden="true" class="loading ${styles.lines}">${LINE}${LINE}</div>`,
};

const Results = lazy(() => import('./results.tsx'));
const VotesTotal = lazyOptional(async () => (await import('./results.tsx')).VotesTotal);

export type InicioScreenProps = ScreenProps & Pick<VoteFeed, 'watch' | 'refresh' | 'deskFeed'>;

export function InicioScreen(props: InicioScreenProps) {
  const [show] = useShow(props.known, INICIO_DRAW_MS);
  const { phase, onePerVisitor } = show.status;
  const statusKey = show.connection === 'offline' ? 'offline' : phase;
  const isVoteOver = statusKey === 'held' || statusKey === 'counting';
  const lastVote = useObservable(props.lastVote);
  const hasVoted = onePerVisitor && show.standings.some(({ id }) => id === lastVote);
  const canVote = isVoting(phase) && show.scene !== 'empty' && !hasVoted;
  const { inicio } = texts;
  useEffect(() => {
    document.title = inicio.titles[statusKey];
  }, [inicio, statusKey]);
  useEffect(props.watch, [props.watch]);
  return (
    <section className={styles.screen}>
      <div className={styles.hero}>
        <div>
          <h1 tabIndex={-1} lang="en">
            {inicio.heading}
          </h1>
          <p className={`lead ${styles.lead}`}>{inicio.leads[isVoteOver ? 'closed' : statusKey]}</p>
        </div>
        <Link to="/goty" className={`button ${canVote ? '' : 'quiet '}${styles.action}`}>
          {canVote ? inicio.vote : inicio.nominees}
        </Link>
      </div>
      <Panel {...props} show={show} />
    </section>
  );
}

interface PanelProps extends Omit<InicioScreenProps, 'known' | 'watch'> {
  readonly show: Show;
}

function Panel({ refresh, show, nominees, lastVote, deskFeed }: PanelProps) {
  const { scene, status, connection } = show;
  // The skeleton, which may hold the headline already, stays until the code of the results has loaded (SPEC W92).
  const isShown = useDeferredValue(show.standings.length > 0);
  // Visitors who come back get the whole screen at once, because the browser scrolls in the first frame (SPEC W22).
  const [isBack] = useState(isShown);
  const { inicio, states } = texts;
  const isEmpty = scene === 'empty' || scene === 'offline';

  if (!isEmpty || connection === 'loading') {
    const statusName = connection === 'live' ? status.phase : connection;
    return (
      <div className={styles.panel}>
        <div className={`row ${styles.status}`} data-status={statusName}>
          <p role="status">{inicio.status[statusName]}</p>
          {status.phase !== 'before' && isShown && (
            // Each status has its own key: words that stand elsewhere then come in new elements, and nothing moves (SPEC W11).
            <Suspense key={statusName}>
              <VotesTotal {...show} />
            </Suspense>
          )}
        </div>
        <Suspense fallback={<ChartSkeleton />}>
          {isShown ? (
            <Results
              show={show}
              nominees={nominees}
              lastVote={lastVote}
              deskFeed={deskFeed}
              isBack={isBack}
              chartSkeleton={<BarsSkeleton />}
            />
          ) : (
            <ChartSkeleton />
          )}
        </Suspense>
      </div>
    );
  }
  // No connection must not look like no games (SPEC W11).
  if (connection === 'offline') {
    return (
      <ScreenMessage
        title={inicio.offlineEmpty}
        hint={voteTexts.failures.unreachable}
        action={{ label: states.retry, run: refresh }}
      />
    );
  }
  return <ScreenMessage title={states.empty} hint={states.emptyHint} />;
}

function BarsSkeleton() {
  return (
    <div aria-hidden="true" className={`loading ${styles.chart}`}>
      {[...'abcdefgh'].map((key) => (
        <div key={key} className={`${styles.bar} skeleton`} />
      ))}
    </div>
  );
}

function ChartSkeleton() {
  return (
    <>
      {/* React leaves the content of this element alone, because first-headline.ts may have replaced it. */}
      <div
        className="standings-headline"
        data-headline
        suppressHydrationWarning
        dangerouslySetInnerHTML={HEADLINE}
      />
      <BarsSkeleton />
      <div aria-hidden="true" className={`loading ${styles.legend}`}>
        {[...'abcd'].map((key) => (
          <div key={key} className="skeleton" />
        ))}
      </div>
    </>
  );
}
