import type { Standing } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { formatVotes } from '../format.ts';
import { useThrottled } from '../use-throttled.ts';

/** Often enough to follow, seldom enough not to talk over the visitor. */
const INTERVAL_MS = 10_000;

/** Tells those who cannot see the chart who leads: politely, and not with every vote. */
export function StandingStatus({ standings }: { readonly standings: readonly Standing[] }) {
  const sentence = useThrottled(describe(standings), INTERVAL_MS);
  return (
    <p className="visually-hidden" role="status">
      {sentence}
    </p>
  );
}

function describe(standings: readonly Standing[]): string {
  const total = standings.reduce((sum, { votos }) => sum + votos, 0);
  const [leader] = standings.toSorted((a, b) => b.votos - a.votos);
  if (!leader || total === 0) return texts.inicio.noVotes;
  return texts.inicio.leads(leader.name, formatVotes(leader.votos), formatVotes(total));
}
