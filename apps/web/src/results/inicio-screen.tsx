import { texts } from '@goty/shared/texts';
import { useState } from 'react';
import { LiveResultsPanel } from './live-results-panel.tsx';

export function InicioScreen() {
  const [attempt, setAttempt] = useState(0);
  return (
    <section className="screen">
      <h1 tabIndex={-1}>{texts.inicio.heading}</h1>
      <p className="lead">{texts.inicio.lead}</p>
      {/* A new key is a new subscription: that is the whole retry. */}
      <LiveResultsPanel key={attempt} onRetry={() => setAttempt(attempt + 1)} />
    </section>
  );
}
