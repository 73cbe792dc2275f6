import type { DeskState, Run } from '@goty/shared/desk';
import { deskTexts as say } from '@goty/shared/desk-texts';
import { useState } from 'react';
import { formatCount, formatHour, formatTime, formatVotes, shareFormat } from '../base/format.ts';
import type { Told } from './client.ts';
import styles from './desk.module.css';
import { Press } from './press.tsx';

/** Votes for a game, cast from one time on, before another. */
type Votes = Pick<Run, 'game' | 'from' | 'to'>;

/** The true standings, those with most votes first. */
export function Ranking({ games, voided, isHidden }: DeskState & { readonly isHidden: boolean }) {
  const share = shareFormat(games);
  return (
    <div className={styles.ranking}>
      {isHidden && <p>{say.onlyYou}</p>}
      <ol>
        {games
          .toSorted((a, b) => b.votos - a.votos)
          .map(({ id, name, votos }) => (
            <li key={id}>
              <span>{name}</span>
              <span>{formatCount(votos)}</span>
              <span>{share(votos)}</span>
            </li>
          ))}
      </ol>
      {voided > 0 && <p>{say.voided(formatCount(voided))}</p>}
    </div>
  );
}

interface SuspectsProps extends DeskState {
  readonly find: () => Promise<Told<readonly Run[]>>;
  readonly run: (votes: Votes) => Promise<boolean>;
}

/** Votes that may be stuffed. They are looked for on a press, because that reads every ballot. */
export function Suspects({ games, find, run }: SuspectsProps) {
  const [runs, setRuns] = useState<readonly Run[]>();
  const [said, setSaid] = useState('');
  const search = async () => {
    setSaid(say.searching);
    const told = await find();
    if ('value' in told) setRuns(told.value);
    setSaid('value' in told ? (told.value.length === 0 ? say.calm : '') : told.refusal);
  };
  return (
    <div className={styles.list}>
      <button type="button" className="button quiet" onClick={search}>
        {say.traffic}
      </button>
      <p role="status">{said}</p>
      {runs?.map((found) => {
        const [votes, expected] = [formatVotes(found.votos), formatCount(found.expected)];
        const { game, from, to } = found;
        return (
          <div key={`${game} ${from}`}>
            <p>
              <strong>{say.run(nameOf(games, game), formatHour(from), formatHour(to))}</strong>
              {say.genuine(votes, expected)}
            </p>
            <Press
              label={say.void}
              sure={say.voidSure(votes, expected)}
              run={async () => {
                if (await run({ game, from, to })) setRuns(runs.filter((each) => each !== found));
              }}
            />
          </div>
        );
      })}
    </div>
  );
}

interface RecordProps extends DeskState {
  readonly undo: (votes: Votes) => Promise<boolean>;
}

/** What was done to the vote, newest first. */
export function Record({ acts, games, undo }: RecordProps) {
  return (
    <details>
      <summary>{say.acts}</summary>
      <ul className={styles.list}>
        {acts.map((act, at) => {
          const votes = voidedBy(act);
          // A later one may have taken it back.
          const isLast = !acts.slice(0, at).some((later) => isSame(voidedBy(later), votes));
          return (
            <li key={`${act.at} ${act.what}`}>
              <p>
                <strong>{formatTime(act.at)}</strong>
                {wordsOf(act, games)}
              </p>
              {votes && isLast && act.what === 'void' && (
                <Press
                  label={say.undo}
                  sure={say.undoSure(formatVotes(act.votes ?? 0))}
                  run={() => undo(votes)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

type Act = DeskState['acts'][number];

/** What a press can void again, or take back. */
function voidedBy({ games: [game, ...others] = [], ranges: [range, ...more] = [] }: Act) {
  if (!game || !range || others.length > 0 || more.length > 0) return undefined;
  return { game, ...range } satisfies Votes;
}

function isSame(a: Votes | undefined, b: Votes | undefined): boolean {
  return a?.game === b?.game && a?.from === b?.from && a?.to === b?.to;
}

function wordsOf({ what, by, votes, games = [], ...act }: Act, all: DeskState['games']): string {
  const { before, after } = act;
  const moved = (['opensAt', 'closesAt', 'frozenAt'] as const)
    .filter((name) => before && after && before[name] !== after[name])
    .map((name) => say.moved[name](whenOf(after?.[name])));
  const parts = [
    ...moved,
    ...(votes === undefined ? [] : [formatVotes(votes)]),
    ...games.map((game) => nameOf(all, game)),
    say.by[by],
  ];
  return `${say.did[what]}: ${parts.join(', ')}`;
}

function whenOf(time: number | undefined): string {
  return time === undefined ? say.never : formatTime(time);
}

function nameOf(games: DeskState['games'], id: string): string {
  return games.find((game) => game.id === id)?.name ?? id;
}
