import { type Standing, totalVotes } from '@goty/shared/game';
import { texts } from '@goty/shared/texts';
import { formatVotes } from './format.ts';
import { formatNames } from './format-results.ts';
import { useThrottled } from './use-throttled.ts';

/** SPEC W23: often enough to follow, rarely enough not to interrupt the visitor. */
const INTERVAL_MS = 10_000;
/** More names would be too long to listen to. */
const MAX_NAMED = 3;

/** A polite, throttled status for screen readers that says who leads (SPEC W23). */
export function StandingsStatus({ standings }: { readonly standings: readonly Standing[] }) {
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
  const format = leaders.length === 1 ? texts.inicio.leads : texts.inicio.tie;
  const names =
    leaders.length > MAX_NAMED ? texts.inicio.games(leaders.length) : formatNames(leaders);
  return format(names, formatVotes(most), formatVotes(total));
}
