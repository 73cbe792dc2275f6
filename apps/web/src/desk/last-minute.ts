import type { DeskReport } from '@goty/shared/desk-protocol';
import { phaseAt } from '@goty/shared/protocol';

/** How far apart two reports may be to tell what came in a minute: polls come every 3 s, so no two are exactly a minute apart. */
const MIN_MINUTE_MS = 57_000;
const MAX_MINUTE_MS = 66_000;

/** Returns the reports of the last 66 s, oldest first, with one more report at the end. */
export function withNewest(
  history: readonly DeskReport[],
  newest: DeskReport,
): readonly DeskReport[] {
  return [...history.filter(({ now }) => now > newest.now - MAX_MINUTE_MS), newest];
}

/** Returns each game's votes of the last minute, if voting is open, a report is that old, and no act has changed votes since. */
export function lastMinuteOf(
  history: readonly DeskReport[],
): ReadonlyMap<string, number> | undefined {
  const newest = history.at(-1);
  const before = newest && history.findLast((report) => isMinuteBefore(report, newest));
  if (!newest || !before || phaseAt(newest.now, newest.times) !== 'open') return undefined;
  const votesBefore = new Map(before.games.map(({ id, votos }) => [id, votos]));
  return new Map(newest.games.map(({ id, votos }) => [id, votos - (votesBefore.get(id) ?? 0)]));
}

function isMinuteBefore(report: DeskReport, newest: DeskReport): boolean {
  const [act, lastAct] = [report, newest].map(({ acts }) =>
    acts.find(({ votes }) => votes !== undefined),
  );
  const isUnchanged = act?.id === lastAct?.id && act?.votes === lastAct?.votes;
  const ms = newest.now - report.now;
  return isUnchanged && ms >= MIN_MINUTE_MS && ms <= MAX_MINUTE_MS;
}
