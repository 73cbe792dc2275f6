import type { DeskAct, DeskState, Run, Votes } from '@goty/shared/desk';
import { deskTexts as say } from '@goty/shared/desk-texts';
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
  const find = async () => {
    const told = await findRuns();
    const found = 'value' in told ? told.value : [];
    setRuns(found);
    setSaid('refusal' in told ? told.refusal : found.length === 0 ? say.calm : '');
  };
  return (
    <>
      <button type="button" className="button quiet" onClick={find}>
        {say.traffic}
      </button>
      <p role="status">{said}</p>
      {runs.map((found) => {
        const { game, from, to, votos, expected } = found;
        const genuine = say.genuine(formatVotes(votos), formatCount(expected));
        const remove = async () => {
          if (await run({ game, from, to })) setRuns(runs.filter((other) => other !== found));
        };
        return (
          <div key={`${game} ${from}`}>
            <b>{say.run(nameOf(games, game), formatHour(from), formatHour(to))}</b>
            <p>{genuine}</p>
            <Press label={say.void} sure={say.voidSure(genuine)} run={remove} />
          </div>
        );
      })}
    </>
  );
}

/** What was done to the vote, newest first. */
export function Record({ acts, games, voided, run }: ListProps) {
  return (
    <details>
      <summary>{say.acts}</summary>
      {acts.map((act) => {
        const [game, ...others] = act.games ?? [];
        const [range, ...more] = act.ranges ?? [];
        const isOne = game && range && others.length + more.length === 0;
        const sure = say.undoSure(formatVotes(act.votes ?? 0));
        return (
          <div key={`${act.at} ${act.what}`}>
            <b>{formatTime(act.at)}</b>
            <p>{wordsOf(act, games)}</p>
            {isOne && act.what === 'void' && voided > 0 && (
              <Press label={say.undo} sure={sure} run={() => run({ game, ...range })} />
            )}
          </div>
        );
      })}
    </details>
  );
}

function wordsOf({ what, by, votes, games = [], before, after }: DeskAct, all: DeskState['games']) {
  const moved = (['opensAt', 'closesAt', 'frozenAt'] as const)
    .filter((name) => before?.[name] !== after?.[name])
    .map((name) => `${say.moved[name]} ${after?.[name] ? formatTime(after[name]) : say.never}`);
  const counted = votes === undefined ? [] : [formatVotes(votes)];
  const named = games.map((game) => nameOf(all, game));
  return `${say.did[what]}: ${[...moved, ...counted, ...named, say.by[by]].join(', ')}`;
}

function nameOf(games: DeskState['games'], id: string): string {
  return games.find((game) => game.id === id)?.name ?? id;
}
