import type { DeskState, Run, Votes } from '@goty/shared/desk';
import { deskTexts as say } from '@goty/shared/desk-texts';
import { resultTexts } from '@goty/shared/result-texts';
import type { Act } from '@goty/shared/timetable';
import { useState } from 'react';
import { formatCount, formatHour, formatTime, formatVotes } from '../base/format.ts';
import { findRuns } from './client.ts';
import { Press } from './press.tsx';

interface ListProps extends DeskState {
  /** Voids votes, or counts them again. */
  readonly run: (votes: Votes) => Promise<boolean>;
}

/** Votes that may be stuffed. They are looked for on a press, because that reads every ballot. */
export function Suspects({ games, run }: ListProps) {
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [said, setSaid] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const find = async () => {
    setIsBusy(true);
    const told = await findRuns();
    setIsBusy(false);
    const found = 'value' in told ? told.value : [];
    setRuns(found);
    setSaid('refusal' in told ? told.refusal : found.length === 0 ? say.calm : say.marked);
  };
  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-busy={isBusy}
        aria-disabled={isBusy}
        onClick={isBusy ? undefined : find}
      >
        {say.traffic}
      </button>
      <p role="status">{said}</p>
      {said !== '' && <p>{say.guess}</p>}
      {runs.map((found) => {
        const { game, from, to, votos, expected } = found;
        const genuine = say.genuine(formatVotes(votos), formatCount(expected));
        const about = say.run(
          nameOf(games, game),
          resultTexts.range(formatHour(from), formatHour(to)),
        );
        const remove = async () => {
          if (await run({ game, from, to })) setRuns((all) => all.filter((one) => one !== found));
        };
        return (
          <div key={`${game} ${from}`}>
            <b>{about}</b>
            <p>{genuine}</p>
            <Press label={say.void} about={about} sure={say.voidSure(genuine)} run={remove} />
          </div>
        );
      })}
    </>
  );
}

/** What was done to the vote, newest first. */
export function Record({ acts, games, run }: ListProps) {
  return (
    <details>
      <summary>{say.acts}</summary>
      {acts.map((act, index) => {
        const words = wordsOf(act, games);
        const sure = say.undoSure(formatVotes(act.votes ?? 0));
        const votes = voidedIn(act, acts.slice(0, index));
        return (
          <div key={`${act.at} ${act.what}`}>
            <b>{formatTime(act.at)}</b>
            <p>{words}</p>
            {votes && <Press label={say.undo} about={words} sure={sure} run={() => run(votes)} />}
          </div>
        );
      })}
    </details>
  );
}

/** The votes that an act has voided in one range, unless a later act has counted them again. */
function voidedIn(act: Act, later: readonly Act[]): Votes | undefined {
  const [[game, ...others], [range, ...more]] = [act.games ?? [], act.ranges ?? []];
  if (act.what !== 'void' || !game || !range || others.length + more.length > 0) return undefined;
  const isUndone = later.some(
    ({ what, games = [], ranges = [] }) =>
      (what === 'undo' &&
        games.includes(game) &&
        ranges.some(({ from, to }) => from <= range.from && range.to <= to)) ||
      what === 'reset',
  );
  return isUndone ? undefined : { game, ...range };
}

function wordsOf({ what, by, votes, games = [], before, after }: Act, all: DeskState['games']) {
  const moved = (['opensAt', 'closesAt', 'frozenAt'] as const)
    .filter((name) => what !== 'reveal' && before?.[name] !== after?.[name])
    .map((name) => `${say.moved[name]} ${after?.[name] ? formatTime(after[name]) : say.never}`);
  const counted = votes === undefined ? [] : [formatVotes(votes)];
  const named = games.map((game) => nameOf(all, game));
  return `${say.did[what]}: ${[...moved, ...counted, ...named, say.by[by]].join(', ')}`;
}

function nameOf(games: DeskState['games'], id: string): string {
  return games.find((game) => game.id === id)?.name ?? id;
}
