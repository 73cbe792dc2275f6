import { texts } from '@goty/shared/texts';
import { useEffect, useState } from 'react';
import { ScreenLink } from '../base/screen-link.tsx';
import { useObservable } from '../base/use-observable.ts';
import { ALWAYS_OPEN } from '../live/vote-status.ts';
import styles from './inicio-screen.module.css';
import { LiveResultsPanel } from './live-results-panel.tsx';
import type { ResultsProps } from './results.tsx';

export function InicioScreen(props: ResultsProps) {
  const [attempt, setAttempt] = useState(0);
  const { phase } = useObservable(props.voteStatus, () => ALWAYS_OPEN);
  const { inicio } = texts;
  useEffect(() => {
    document.title = inicio.titles[phase];
  }, [inicio, phase]);
  return (
    <section className={styles.screen}>
      <div className={styles.hero}>
        <h1 tabIndex={-1} lang="en">
          {inicio.heading}
        </h1>
        <p className={styles.lead}>{inicio.leads[phase]}</p>
        <p className={styles.actions}>
          <ScreenLink to="/goty" className={phase === 'open' ? 'button' : 'button quiet'}>
            {phase === 'open' ? inicio.vote : inicio.nominees}
          </ScreenLink>
        </p>
      </div>
      {/* A new key remounts the panel, which listens again. */}
      <LiveResultsPanel
        key={attempt}
        phase={phase}
        results={props}
        onRetry={() => setAttempt(attempt + 1)}
      />
    </section>
  );
}
