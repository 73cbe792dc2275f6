import { type Standing, totalVotes } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { formatNames, formatVotes } from './format.ts';
import { useThrottled } from './use-throttled.ts';

/** Often enough to follow, seldom enough not to talk over the visitor. */
const INTERVAL_MS = 10_000;
/** More names than that would be a long sentence to listen to. */
const MAX_NAMED = 3;

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
  const total = totalVotes(standings);
  if (total === 0) return texts.inicio.noVotes;
  const most = Math.max(...standings.map(({ votos }) => votos));
  const leaders = standings.filter(({ votos }) => votos === most).map(({ name }) => name);
  const tell = leaders.length === 1 ? texts.inicio.leads : texts.inicio.tie;
  const who =
    leaders.length > MAX_NAMED ? texts.inicio.games(leaders.length) : formatNames(leaders);
  return tell(who, formatVotes(most), formatVotes(total));
}
