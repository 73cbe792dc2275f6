import { texts } from '@goty/shared/texts';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useObservable } from '../base/use-observable.ts';
import { ALWAYS_OPEN } from '../live/vote-status.ts';
import styles from './inicio-screen.module.css';
import { LiveResultsPanel } from './live-results-panel.tsx';
import type { ResultsProps } from './results.tsx';

export function InicioScreen(props: ResultsProps) {
  const voteStatus = useObservable(props.voteStatus, () => ALWAYS_OPEN);
  const { phase, resultPhase, onePerVisitor } = voteStatus;
  const lastVote = useObservable(props.lastVote, () => undefined);
  const { subscribe, get } = props.live;
  const noGames = { subscribe, get: () => get().standings?.length === 0 };
  const isEmpty = useObservable(noGames, () => false);
  const canVote = phase === 'open' && !isEmpty && !(onePerVisitor && lastVote !== undefined);
  const { inicio } = texts;
  useEffect(() => {
    document.title = inicio.titles[resultPhase];
  }, [inicio, resultPhase]);
  return (
    <section className={styles.screen}>
      <div className={styles.hero}>
        <div>
          <h1 tabIndex={-1} lang="en">
            {inicio.heading}
          </h1>
          <p className={`lead ${styles.lead}`}>
            {inicio.leads[phase === 'closed' ? phase : resultPhase]}
          </p>
        </div>
        <Link to="/goty" className={`button ${canVote ? '' : 'quiet '}${styles.action}`}>
          {canVote ? inicio.vote : inicio.nominees}
        </Link>
      </div>
      <LiveResultsPanel voteStatus={voteStatus} results={props} />
    </section>
  );
}
