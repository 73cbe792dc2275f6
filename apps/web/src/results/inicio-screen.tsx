import { texts } from '@goty/shared/texts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { lazyOptional, useObservable, useSelected } from '../base/react.ts';
import { ScreenMessage } from '../base/screen.tsx';
import { isVoting } from '../live/fetch-standings.ts';
import type { DeskFeed, ScreenProps, VoteFeed } from '../live/vote-feed.ts';
import './headline.css';
import styles from './inicio-screen.module.css';
import { DRAW_EVERY_MS, useShownStandings } from './shown-standings.ts';

const LINE = '<div class="skeleton"></div>';
const HEADLINE = {
  __html: `<div aria-hidden="true" class="loading ${styles.lines}">${LINE}${LINE}</div>`,
};

const Results = lazy(() => import('./results.tsx'));
const VotesTotal = lazyOptional(async () => (await import('./results.tsx')).VotesTotal);

export type InicioScreenProps = ScreenProps & DeskFeed & Pick<VoteFeed, 'watch' | 'refresh'>;

export function InicioScreen(props: InicioScreenProps) {
  const { phase, onePerVisitor } = useSelected(props.known, (now) => now.status);
  const isOffline = useSelected(props.known, ({ connection }) => connection === 'offline');
  const statusKey = isOffline ? 'offline' : phase;
  const isVoteOver = statusKey === 'held' || statusKey === 'counting';
  const isEmpty = useSelected(props.known, ({ standings }) => standings?.length === 0);
  const lastVote = useObservable(props.lastVote);
  const canVote = isVoting(phase) && !isEmpty && !(onePerVisitor && lastVote !== undefined);
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
      <Panel {...props} />
    </section>
  );
}

/** The live standings as chart, legend and table, or a loading, empty or offline state. */
function Panel({ watch: _watch, refresh, ...results }: InicioScreenProps) {
  const { known } = results;
  const status = useSelected(known, (now) => now.status);
  const connection = useSelected(known, (now) => now.connection);
  // The snapshot comes later: until it is rendered, standings that are there are not none (SPEC W92).
  const isEmpty = useSelected(known, ({ standings }) => !standings?.length);
  const shown = useShownStandings(known, DRAW_EVERY_MS);
  const isShown = shown.standings.length > 0;
  // Who comes back gets everything at once: the browser returns to their place in the first frame (SPEC W22).
  const [isBack] = useState(isShown);
  const { inicio, states } = texts;

  if (!isEmpty || connection === 'loading') {
    const said = connection === 'live' ? status.phase : connection;
    return (
      <div className={styles.panel}>
        <div className={`row ${styles.status}`} data-status={said}>
          <p role="status">{inicio.status[said]}</p>
          {status.phase !== 'before' && isShown && (
            <Suspense>
              <VotesTotal standings={shown.standings} known={known} voteStatus={status} />
            </Suspense>
          )}
        </div>
        <Suspense fallback={<ChartSkeleton />}>
          {isShown ? (
            <Results {...results} {...shown} isBack={isBack} chartSkeleton={<BarsSkeleton />} />
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
        hint={states.failures.unreachable}
        action={{ label: states.retry, run: refresh }}
      />
    );
  }
  return <ScreenMessage title={states.empty} hint={states.emptyHint} />;
}

/** The placeholder of the chart alone, in its final size. */
function BarsSkeleton() {
  return (
    <div aria-hidden="true" className={`loading ${styles.chart}`}>
      {[...'abcdefgh'].map((key) => (
        <div key={key} className={`${styles.bar} skeleton`} />
      ))}
    </div>
  );
}

/** The placeholder of headline, chart and the first row of the legend, in their final size. */
function ChartSkeleton() {
  return (
    <>
      {/* React lets its content be, which headline.ts may have replaced. */}
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
