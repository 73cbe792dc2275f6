import type { Nominee } from '@goty/shared/nominee';
import { texts } from '@goty/shared/texts';
import { useState } from 'react';
import type { LastVote } from '../base/last-vote.ts';
import type { Observable } from '../base/observable.ts';
import { ScreenLink } from '../base/screen-link.tsx';
import { useObservable } from '../base/use-observable.ts';
import type { LiveResults } from '../live/live-results.ts';
import { ALWAYS_OPEN, type VoteStatus } from '../status/vote-status.ts';
import styles from './inicio-screen.module.css';
import { LiveResultsPanel } from './live-results-panel.tsx';

/** What the results show besides the standings. */
export interface ResultsSources {
  /** The id of the game that this browser voted for last. */
  readonly lastVote: Pick<LastVote, 'get' | 'subscribe' | 'forget'>;
  readonly voteStatus: Observable<VoteStatus>;
  /** For the covers. */
  readonly nominees: {
    readonly state: Observable<{ readonly nominees?: readonly Nominee[] }>;
    ensureLoaded(): void;
  };
}

export interface InicioScreenProps extends ResultsSources {
  readonly live: LiveResults;
}

/** The screen inicio: the way to vote, and the live results. */
export function InicioScreen({ live, lastVote, voteStatus, nominees }: InicioScreenProps) {
  const [attempt, setAttempt] = useState(0);
  const { phase } = useObservable(voteStatus, () => ALWAYS_OPEN);
  const { inicio } = texts;
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
        live={live}
        phase={phase}
        sources={{ lastVote, voteStatus, nominees }}
        onRetry={() => setAttempt(attempt + 1)}
      />
    </section>
  );
}
