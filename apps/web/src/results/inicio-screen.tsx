import { texts } from '@goty/shared/texts';
import { useState } from 'react';
import type { LiveResults } from '../live/live-results.ts';
import { LiveResultsPanel } from './live-results-panel.tsx';

export interface InicioScreenProps {
  readonly live: LiveResults;
}

/** The screen inicio, with the live results. */
export function InicioScreen({ live }: InicioScreenProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <section className="screen">
      <h1 tabIndex={-1} lang="en">
        {texts.inicio.heading}
      </h1>
      <p className="lead">{texts.inicio.lead}</p>
      {/* A new key remounts the panel, which listens again. */}
      <LiveResultsPanel key={attempt} live={live} onRetry={() => setAttempt(attempt + 1)} />
    </section>
  );
}
