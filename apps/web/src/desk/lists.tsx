import type { Act } from '@goty/shared/act';
import {
  type Anomaly,
  type DeskState,
  newLeaderWithout,
  type VoteRange,
} from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { phaseAt } from '@goty/shared/protocol';
import { useState } from 'react';
import { formatCount, formatRange, formatTime, formatVotes } from '../base/format.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { requestAnomalies } from './desk-api.ts';

interface AnomaliesProps extends DeskState {
  /** Voids votes. Resolves with why that was not done; '' if it was. */
  readonly voidVotes: (votes: VoteRange) => Promise<string>;
}

interface RecordListProps extends DeskState {
  /** Counts the votes again that the act of that id has voided. Resolves like `voidVotes`. */
  readonly undo: (act: string) => Promise<string>;
}

/** Votes that may be stuffed. They are looked for on a press, because that reads every ballot. */
export function Anomalies(props: AnomaliesProps) {
  const { acts, games, now, voidVotes } = props;
  const [found, setFound] = useState<{ readonly at: number; readonly all: readonly Anomaly[] }>();
  const find = async () => {
    const result = await requestAnomalies();
    setFound('value' in result ? { at: now, all: result.value } : undefined);
    return 'value' in result ? '' : result.refusal.why;
  };
  const searchedAt = found ? formatTime(found.at) : '';
  // Another desk, or a command, may have voided some of them since.
  const voids = acts.filter(({ at, left }) => left !== undefined && at >= (found?.at ?? 0));
  const anomalies = found?.all.filter((one) => !voids.some((act) => isAbout(act, one))) ?? [];
  return (
    <>
      <ConfirmButton label={deskTexts.traffic} run={find} />
      <p role="status">
        {anomalies.length > 0
          ? deskTexts.marked(searchedAt)
          : found?.all.length === 0 && deskTexts.calm(searchedAt)}
      </p>
      {(anomalies.length > 0 || found?.all.length === 0) && <p>{deskTexts.guess}</p>}
      {anomalies.map((anomaly) => {
        const { game, from, to, votos, expected } = anomaly;
        const genuine = deskTexts.genuine(formatVotes(votos), formatCount(expected));
        const about = deskTexts.anomaly(nameOf(games, game), formatRange(from, to));
        return (
          <div key={`${game} ${from}`}>
            <b>{about}</b>
            <p>{genuine}</p>
            <ConfirmButton
              label={deskTexts.void}
              about={about}
              sure={`${deskTexts.voidSure(genuine)} ${inSight(props, anomaly)}`.trim()}
              run={() => voidVotes({ game, from, to })}
            />
          </div>
        );
      })}
    </>
  );
}

function isAbout({ games = [], ranges = [] }: Act, { game, from, to }: Anomaly): boolean {
  const isOfGame = games.length === 0 || games.includes(game);
  return isOfGame && ranges.some((range) => range.from < to && range.to > from);
}

/** What the hall will see at once if these votes are voided; '' if they are hidden. */
function inSight({ games, now, times }: DeskState, { game, from, votos }: Anomaly): string {
  const { frozenAt = Infinity } = times;
  if (from >= frozenAt) return '';
  // While votes are hidden, the hall sees other figures than the desk.
  const leader =
    frozenAt > now ? newLeaderWithout(games, new Map([[game, votos]]))?.name : undefined;
  return deskTexts.inSight(leader, phaseAt(now, times) === 'closed');
}

/** What was done to the vote, newest first. */
export function RecordList({ acts, games, undo }: RecordListProps) {
  return (
    <details>
      <summary>{deskTexts.acts}</summary>
      {acts.map((act) => {
        const { id, left, what } = act;
        const words = wordsOf(act, games);
        return (
          <div key={id}>
            <b>{formatTime(act.at)}</b>
            <p>{words}</p>
            {what === 'void' && left !== undefined && (
              <ConfirmButton
                label={deskTexts.undo}
                about={words}
                sure={deskTexts.undoSure(formatVotes(left))}
                run={() => undo(id)}
              />
            )}
          </div>
        );
      })}
    </details>
  );
}

function wordsOf({ what, by, votes, games = [], before, after }: Act, all: DeskState['games']) {
  const moved = (['opensAt', 'closesAt', 'frozenAt'] as const)
    .filter((name) => what !== 'reveal' && before?.[name] !== after?.[name])
    .map(
      (name) =>
        `${deskTexts.moved[name]} ${after?.[name] ? formatTime(after[name]) : deskTexts.never}`,
    );
  const counted = votes === undefined ? [] : [formatVotes(votes)];
  const named = games.map((game) => nameOf(all, game));
  return `${deskTexts.did[what]}: ${[...moved, ...counted, ...named, deskTexts.by[by]].join(', ')}`;
}

function nameOf(games: DeskState['games'], id: string): string {
  return games.find((game) => game.id === id)?.name ?? id;
}
