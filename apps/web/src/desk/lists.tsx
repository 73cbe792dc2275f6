import type { Act, ToldAct } from '@goty/shared/act';
import { type Anomaly, CODE_MS, type DeskReport, type VoteRange } from '@goty/shared/desk-protocol';
import { deskTexts } from '@goty/shared/desk-texts';
import { LANGUAGE, phaseAt } from '@goty/shared/protocol';
import { rankStandings } from '@goty/shared/ranking';
import { TIME_NAMES } from '@goty/shared/vote-times';
import { useState } from 'react';
import {
  formatCount,
  formatMoment,
  formatRange,
  formatTime,
  formatVotes,
  shareFormat,
} from '../base/format.ts';
import { QrCode } from '../share/qr-code.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { deskLink, newCode, requestAnomalies } from './desk-api.ts';

const formatChange = new Intl.NumberFormat(LANGUAGE, { signDisplay: 'always' }).format;

/** Changes something of the vote. Resolves with why nothing was changed; '' if something was. */
type Press<What> = (what: What) => Promise<string>;
type AnomaliesProps = DeskReport & { readonly voidVotes: Press<VoteRange> };
/** `undo` takes the id of the act whose votes count again. */
type RecordListProps = DeskReport & { readonly undo: Press<string> };
/** `change` takes the code of an invitation, or the id of the browser that is to lose its access. */
type BrowserListProps = DeskReport & {
  readonly clockOffset: number;
  readonly change: Press<object>;
};
type RankingProps = Pick<DeskReport, 'games'> & {
  readonly gained: ReadonlyMap<string, number> | undefined;
};

/** All games by their votes, also by hidden ones, and beside these how many each game got in the last minute. */
export function Ranking({ games, gained }: RankingProps) {
  const share = shareFormat(games);
  const total = gained && [...gained.values()].reduce((sum, votes) => sum + votes, 0);
  return (
    <>
      {total !== undefined && <p>{deskTexts.lastMinute(formatCount(total))}</p>}
      <ol>
        {rankStandings(games).byVotes.map(({ id, name, votos }) => (
          <li key={id}>
            <span>{name}</span>{' '}
            <span>
              <b>{formatCount(votos)}</b>{' '}
              {gained && <small>{formatChange(gained.get(id) ?? 0)}</small>}
            </span>{' '}
            <span>{share(votos)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Votes that look stuffed. They are searched for only on a press, because the search reads every ballot. */
export function Anomalies(props: AnomaliesProps) {
  const { acts, games, now, voidVotes } = props;
  const [found, setFound] = useState<{ readonly at: number; readonly all: readonly Anomaly[] }>();
  const find = async () => {
    const result = await requestAnomalies();
    setFound('value' in result ? { at: now, all: result.value } : undefined);
    return 'value' in result ? '' : result.refusal.why;
  };
  const searchedAt = found ? formatTime(found.at) : '';
  // Anomalies are not shown any more once this desk, another desk or a command has voided votes of theirs since the search.
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
              sure={`${deskTexts.voidSure(genuine)} ${inSight(props, { ...anomaly, votos: -anomaly.votos })}`.trim()}
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

/** If the votes are of several games, `game` is `undefined`: nobody knows how many are of each. */
interface SumChange extends Pick<Anomaly, 'from'> {
  readonly game: string | undefined;
  /** Negative if the votes are voided. */
  readonly votos: number;
}

function changeOfUndo({ games = [], ranges = [], left = 0 }: ToldAct): SumChange {
  const game = games.length === 1 ? games[0] : undefined;
  return { game, from: Math.min(...ranges.map(({ from }) => from)), votos: left };
}

/** Returns what the hall will see of the change, as a sentence; '' if the changed votes are hidden, so that it sees nothing. */
function inSight({ games, now, times }: DeskReport, change: SumChange): string {
  const { frozenAt = Infinity } = times;
  if (change.from >= frozenAt) return '';
  // While votes are hidden, the hall sees other figures than the desk, so the sentence names no leader.
  const leader = frozenAt > now ? newLeaderAfter(change, games)?.name : undefined;
  return deskTexts.inSight(leader, phaseAt(now, times) === 'closed');
}

function newLeaderAfter({ game, votos }: SumChange, games: DeskReport['games']) {
  const changed = games.map((standing) =>
    standing.id === game ? { ...standing, votos: standing.votos + votos } : standing,
  );
  const { leader } = rankStandings(changed);
  return leader?.id === rankStandings(games).leader?.id ? undefined : leader;
}

export function RecordList(props: RecordListProps) {
  const { acts, games, undo } = props;
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
                sure={`${deskTexts.undoSure(formatVotes(left))} ${inSight(props, changeOfUndo(act))}`.trim()}
                run={() => undo(id)}
              />
            )}
          </div>
        );
      })}
    </details>
  );
}

/** An invitation is shown until a new browser has come or the invitation has expired. */
export function BrowserList({ browsers, now, clockOffset, change }: BrowserListProps) {
  const [{ link, at }, setInvitation] = useState({ link: '', at: -Infinity });
  const invite = async () => {
    const code = newCode();
    const why = await change({ code });
    if (why === '') setInvitation({ link: deskLink(code), at: performance.now() + clockOffset });
    return why;
  };
  const isValid = now < at + CODE_MS && !browsers.some(({ since }) => since > at);
  const isForAll = link.startsWith('https:');
  return (
    <>
      <details>
        <summary>{deskTexts.browsers(formatCount(browsers.length))}</summary>
        {browsers.map(({ id, since, isThis }) => {
          const about = deskTexts.browser(formatTime(since), isThis);
          const press = { label: deskTexts.revoke, about, sure: deskTexts.revokeSure };
          return (
            <div key={id}>
              <p>{about}</p>
              {!isThis && <ConfirmButton {...press} run={() => change({ browser: id })} />}
            </div>
          );
        })}
      </details>
      <ConfirmButton label={deskTexts.invite} sure={deskTexts.inviteSure} run={invite} />
      {isValid && isForAll && <QrCode url={link} label={deskTexts.qrCode} />}
      {isValid && <p translate="no">{link}</p>}
      <p role="status">{isValid && deskTexts.invitation(formatMoment(at + CODE_MS), isForAll)}</p>
    </>
  );
}

function wordsOf({ what, by, votes, games = [], before, after }: Act, all: DeskReport['games']) {
  const moved = TIME_NAMES.filter(
    (name) => what !== 'reveal' && before?.[name] !== after?.[name],
  ).map(
    (name) =>
      `${deskTexts.moved[name]} ${after?.[name] ? formatTime(after[name]) : deskTexts.never}`,
  );
  const counted = votes === undefined ? [] : [formatVotes(votes)];
  const named = games.map((game) => nameOf(all, game));
  return `${deskTexts.did[what]}: ${[...moved, ...counted, ...named, deskTexts.by[by]].join(', ')}`;
}

function nameOf(games: DeskReport['games'], id: string): string {
  return games.find((game) => game.id === id)?.name ?? id;
}
