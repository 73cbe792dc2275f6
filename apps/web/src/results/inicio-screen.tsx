import { texts } from '@goty/shared/texts';
import { useState } from 'react';
import type { LiveSource } from '../live/live-source.ts';
import { LiveResultsPanel } from './live-results-panel.tsx';

export interface InicioScreenProps {
  readonly loadLive: () => Promise<LiveSource>;
}

/** The screen inicio, with the live results. */
export function InicioScreen({ loadLive }: InicioScreenProps) {
  const [attempt, setAttempt] = useState(0);
  return (
    <section className="screen">
      <h1 tabIndex={-1}>{texts.inicio.heading}</h1>
      <p className="lead">{texts.inicio.lead}</p>
      {/* A new key remounts the panel, which subscribes again. */}
      <LiveResultsPanel key={attempt} loadLive={loadLive} onRetry={() => setAttempt(attempt + 1)} />
    </section>
  );
}
